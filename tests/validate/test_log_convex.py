"""The rules of log-convex functions, and the lemma that rests on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from fedproof.algebra.expressions import compile_numpy
from fedproof.bounds import catalog
from fedproof.papers.fedproxvr.notation import L, beta, lam, mt, mu, theta
from fedproof.validate.audit import judge
from fedproof.validate.claims.log_convex import curvature

x, y, c, z = sp.symbols("x y c z", real=True)
ATOMS = {x: "affine", y: "affine"}
CONSTANTS = frozenset({c})


@pytest.mark.parametrize(
    ("expr", "kind"),
    [
        (x**3 / y, "affine"),
        (c + x, "convex"),
        (c + 1, "affine"),
        (x / (1 + sp.sqrt(1 + c)), "affine"),
        (sp.sqrt(1 + x * y), "convex"),
        (1 / (1 + x), "concave"),
        (1 - x - y**2, "concave"),
        (1 / (1 - x * (1 + y)), "convex"),
        ((1 + x) / (1 - y), "convex"),
        ((1 + x) * (1 - y), None),
        (x - y, None),
        (2 - 1 / (1 + x), None),
        (sp.exp(x), None),
        (x + z, None),
        (-x, None),
    ],
)
def test_the_rules_say_what_can_be_seen(expr: sp.Expr, kind: str | None) -> None:
    """Each rule, and silence where no rule applies."""
    assert curvature(expr, ATOMS, CONSTANTS) == kind


@pytest.mark.parametrize(
    "expr", [c + x, sp.sqrt(1 + x * y), 1 / (1 - x * (1 + y)), 1 / (1 + x), 1 - x - y**2]
)
def test_the_rules_agree_with_midpoints(expr: sp.Expr) -> None:
    """Random midpoints in log coordinates, evaluated in floats, never contradict the rules."""
    sign = {"convex": 1, "concave": -1}[curvature(expr, ATOMS, CONSTANTS)]
    function = compile_numpy(sp.log(expr), ("x", "y", "c"))
    rng = np.random.default_rng(3)
    one, two = rng.uniform(-4, -1, (2, 500)), rng.uniform(-4, -1, (2, 500))
    ends = (function(*np.exp(one), 2.0) + function(*np.exp(two), 2.0)) / 2
    middle = function(*np.exp((one + two) / 2), 2.0)

    assert np.all(sign * (ends - middle) >= -1e-12)


LEMMA = catalog.statement("fedproxvr.convexity")


@pytest.mark.parametrize(
    "change",
    [
        {"atoms": tuple((e, p, "convex" if k == "concave" else k) for e, p, k in LEMMA.claim.atoms)},
        {"atoms": tuple((e, p, "affine" if e == mu else k) for e, p, k in LEMMA.claim.atoms)},
        {"atoms": tuple((e, p + 1 if e == mu else p, k) for e, p, k in LEMMA.claim.atoms)},
        {"atoms": LEMMA.claim.atoms[1:]},
        {"atoms": ()},
        {"expr": mu / (1 + mu), "atoms": ((mu + 1, lam + mt + 1, "affine"),)},
        {"expr": 1 / LEMMA.claim.expr},
        {"coordinates": ((mt, 1 / mt), *LEMMA.claim.coordinates[1:])},
        {"atoms": tuple(a for a in LEMMA.claim.atoms if a[0] != mu)},
        {"expr": mu * beta, "coordinates": ((beta, beta),), "atoms": ((mu * beta, mu * beta, "affine"),)},
        {"expr": mt * theta, "atoms": ((mt * theta, mt * theta, "affine"),)},
    ],
    ids=["concave as convex", "convex as affine", "not the atom", "an atom less", "no atoms", "false affine",
         "reciprocal", "falling coordinate", "a moving constant", "two in one", "a definition in a part"],
)  # fmt: skip
def test_what_is_said_of_the_parts_is_proved_not_believed(change: dict[str, object]) -> None:
    """A wrong curvature, a wrong part, a missing atom or a falling coordinate loses the lemma."""
    assert judge(replace(LEMMA, claim=replace(LEMMA.claim, **change))).verdict == "open"


SHARP = catalog.statement("fedproxvr.convexity.sharpened")
COMPOSITE = SHARP.claim.composites[0]
P = COMPOSITE.inner


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"outer": P * (3 - P) / (2 * L)}, "is not what it is said to be"),
        ({"meaning": COMPOSITE.meaning * (L + mu) / L}, "is not what it is said to be"),
        ({"meaning": 1 / COMPOSITE.meaning, "outer": (2 - 1 / P) / (2 * L * P)}, "the rules do not reach p"),
        ({"meaning": COMPOSITE.meaning / 2, "outer": 2 * P * (1 - P) / L}, "not proved"),
        ({"bounds": (P > 0, P <= sp.Rational(1, 2))}, "not proved: p <= 1/2"),
        ({"bounds": (P > 0, P < 2)}, "not proved"),
        ({"bounds": ()}, "not proved: p > 0"),
        ({"meaning": COMPOSITE.meaning / mt, "outer": P * mt * (2 - P * mt) / (2 * L)}, "more than p"),
    ],
    ids=["wrong outer", "wrong inner", "convex inner", "bound too wide", "false bound", "no upper bound",
         "no bounds", "hidden variable"],
)  # fmt: skip
def test_what_is_said_of_a_composite_is_proved_not_believed(change: dict[str, object], said: str) -> None:
    """A wrong function, a wrong or missing bound, or a hidden variable loses the sharpened lemma."""
    claim = replace(SHARP.claim, composites=(replace(COMPOSITE, **change),))
    verdict = judge(replace(SHARP, claim=claim))

    assert verdict.verdict == "open"
    assert said in verdict.detail


def test_the_sharpened_lemma_needs_its_composite() -> None:
    """The rules alone do not see that the log of 1 - q^2 is concave."""
    assert judge(replace(SHARP, claim=replace(SHARP.claim, composites=()))).verdict == "open"
