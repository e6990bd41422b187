"""The rules of log-convex functions, and the lemma that rests on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.expressions import compile_numpy
from fedproof.validate.audit import judge
from fedproof.validate.claims.log_convex import curvature

x, y, c = sp.symbols("x y c", real=True)
ATOMS = {x: "affine", y: "affine"}


@pytest.mark.parametrize(
    ("expr", "kind"),
    [
        (x**3 / y, "affine"),
        (c + x, "convex"),
        (sp.sqrt(1 + x * y), "convex"),
        (1 / (1 + x), "concave"),
        (1 - x - y**2, "concave"),
        (1 / (1 - x * (1 + y)), "convex"),
        ((1 + x) / (1 - y), "convex"),
        ((1 + x) * (1 - y), None),
        (x - y, None),
        (2 - 1 / (1 + x), None),
        (sp.exp(x), None),
    ],
)
def test_the_rules_say_what_can_be_seen(expr: sp.Expr, kind: str | None) -> None:
    """Each rule, and silence where no rule applies."""
    assert curvature(expr, ATOMS) == kind


@pytest.mark.parametrize(
    "expr", [c + x, sp.sqrt(1 + x * y), 1 / (1 - x * (1 + y)), 1 / (1 + x), 1 - x - y**2]
)
def test_the_rules_agree_with_midpoints(expr: sp.Expr) -> None:
    """Random midpoints in log coordinates, evaluated in floats, never contradict the rules."""
    sign = {"convex": 1, "concave": -1}[curvature(expr, ATOMS)]
    function = compile_numpy(sp.log(expr), ("x", "y", "c"))
    rng = np.random.default_rng(3)
    one, two = rng.uniform(-4, -1, (2, 500)), rng.uniform(-4, -1, (2, 500))
    ends = (function(*np.exp(one), 2.0) + function(*np.exp(two), 2.0)) / 2
    middle = function(*np.exp((one + two) / 2), 2.0)

    assert np.all(sign * (ends - middle) >= -1e-12)


def test_the_training_time_is_log_convex() -> None:
    """The lemma behind the certified optimum is earned by engines and rules."""
    verdict = judge(catalog.statement("fedproxvr.convexity"))

    assert verdict.verdict == "holds"
    assert {"z3", "cvc5", "rule", "fedproxvr.convex.beta"} <= set(verdict.because)


def test_a_planted_false_fact_or_curvature_leaves_it_open() -> None:
    """Reversing a fact, or saying that beta - 3 is log-convex, loses the lemma."""
    lemma = catalog.statement("fedproxvr.convexity")
    fact = lemma.claim.facts[1]
    reversed_fact = replace(fact, claim=sp.Lt(*fact.claim.args))
    false_fact = replace(lemma, claim=replace(lemma.claim, facts=(reversed_fact,)))
    atoms = tuple((e, "convex" if k == "concave" else k) for e, k in lemma.claim.atoms)
    false_atom = replace(lemma, claim=replace(lemma.claim, atoms=atoms))

    assert judge(false_fact).verdict == "open"
    assert judge(false_atom).verdict == "open"
