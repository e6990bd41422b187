"""Assumption 3.1 for the l1 and l-infinity norms."""

from __future__ import annotations

from sympy import sqrt

from fedproof.papers.composite.notation import d, vartheta
from fedproof.papers.composite.proofs.metric_relations import j, longest
from fedproof.papers.composite.proofs.vectors import fact
from fedproof.proof.prelude import *

WHERE = "below Assumption 3.1"
#: the size of a subgradient's entry j, and its square; the sum of the squares
size, square = sequence("size", nonnegative=True), sequence("square", nonnegative=True)
squares = number("squares")
LATEX_NAMES = (
    (size(j), "|s_{j}|"),
    (square(j), "s_{j}^{2}"),
    (squares, r"\textstyle\sum_j s_{j}^{2}"),
    (longest, r"\|\mathbf s\|"),
)
sums = partial(fact, rule="sum", reads=LATEX_NAMES)
real = partial(fact, reads=LATEX_NAMES)
ENTRIES = assume("meaning: d counts the entries", d >= 1)

with printed():
    SQUARES = total(square(j), j, 1, d)
    NORM = assume("definition: the norm of a subgradient s", longest >= 0, Eq(longest**2, squares))
    L1_SQUARED = sums(
        "subgradients.l1.squared",
        WHERE,
        SQUARES <= d * vartheta**2,
        ENTRIES,
        assume(
            "definition: the entries of a subgradient of vartheta |x|_1 are in [-vartheta, vartheta]",
            ForAll(square(j) <= vartheta**2, j, 1, d),
        ),
    )
    L1 = real(
        "subgradients.l1.end",
        WHERE,
        longest <= vartheta * sqrt(d),
        vartheta >= 0,
        ENTRIES,
        NORM,
        L1_SQUARED.at({SQUARES: squares}),
    )
    LINF_SQUARED = sums(
        "subgradients.linf.squared",
        WHERE,
        SQUARES <= vartheta * vartheta,
        vartheta >= 0,
        ENTRIES,
        assume(
            "definition: the entries of a subgradient of vartheta |x|_inf are at most vartheta",
            ForAll(square(j) <= vartheta * size(j), j, 1, d),
        ),
        times(vartheta, total(size(j), j, 1, d) <= vartheta, "definition: and add up to at most vartheta"),
    )
    LINF = real(
        "subgradients.linf.end",
        WHERE,
        longest <= vartheta,
        vartheta >= 0,
        ENTRIES,
        NORM,
        LINF_SQUARED.at({SQUARES: squares}),
    )
