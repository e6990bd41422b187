"""Assumption 3.1 for the l1 and l-infinity norms and the ReLU."""

from fedproof.papers.composite.proofs.metric_relations import j, longest
from fedproof.papers.composite.proofs.vectors import *

size = sequence("size(j)", "|s_{j}|", nonnegative=True)
square = sequence("square(j)", "s_{j}^{2}", nonnegative=True)
squares = number("squares", r"\textstyle\sum_j s_{j}^{2}")
by = step_writer("composite", __name__, "below Assumption 3.1")
ENTRIES = assume("meaning: d counts the entries", d >= 1)

with printed():
    SQUARES = total(square(j), j, 1, d)
    NORM = assume("definition: the norm of a subgradient s", longest >= 0, Eq(longest**2, squares))
    L1_SQUARED = by.sum("subgradients.l1.squared")(
        SQUARES <= d * vartheta**2,
        ENTRIES,
        assume(
            "definition: the entries of a subgradient of vartheta |x|_1 are in [-vartheta, vartheta]",
            ForAll(square(j) <= vartheta**2, j, 1, d),
        ),
    )
    L1 = by.real("subgradients.l1.end")(
        longest <= vartheta * sqrt(d),
        vartheta >= 0,
        ENTRIES,
        NORM,
        L1_SQUARED.at({SQUARES: squares}),
    )
    LINF_SQUARED = by.sum("subgradients.linf.squared")(
        SQUARES <= vartheta * vartheta,
        vartheta >= 0,
        ENTRIES,
        assume(
            "definition: the entries of a subgradient of vartheta |x|_inf are at most vartheta",
            ForAll(square(j) <= vartheta * size(j), j, 1, d),
        ),
        assume("definition: and add up to at most vartheta", total(size(j), j, 1, d) <= vartheta),
    )
    LINF = by.real("subgradients.linf.end")(
        longest <= vartheta,
        vartheta >= 0,
        ENTRIES,
        NORM,
        LINF_SQUARED.at({SQUARES: squares}),
    )
    RELU_SQUARED = by.sum("subgradients.relu.squared")(
        SQUARES <= d * vartheta**2,
        ENTRIES,
        assume(
            "definition: the entries of a subgradient of vartheta sum_j max(x_j, 0) are in [0, vartheta]",
            ForAll(square(j) <= vartheta**2, j, 1, d),
        ),
    )
    RELU = by.real("subgradients.relu.end")(
        longest <= vartheta * sqrt(d),
        vartheta >= 0,
        ENTRIES,
        NORM,
        RELU_SQUARED.at({SQUARES: squares}),
    )
