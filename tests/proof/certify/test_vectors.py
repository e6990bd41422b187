"""Certificates about vectors: every lemma has one that the kernel accepts, and no misuse of one has any."""

from __future__ import annotations

import pytest

from fedproof.algebra.expressions import printed
from fedproof.proof.certify.limits import NotFound
from fedproof.proof.certify.translate import kinds_of, relation
from fedproof.proof.certify.vectors import prove_step
from fedproof.proof.kernel.judgement import checked
from fedproof.proof.kernel.trees import Rejected, as_json
from fedproof.proof.lemmas import FALSE, PROOF
from fedproof.proof.rules.normalise_step import meant, normalised
from fedproof.proof.rules.query import NotApplicable
from fedproof.proof.step import Step
from fedproof.proof.vectors import ip, n2, norm, vectors
from tests.proof.logic import Eq, numbers

x, y, z, g, h, short, long = vectors("x y z g h short long")
a, b, r, s, t, eta = numbers("a b r s t eta")

with printed():
    MORE = {
        "an equation that gives no name": Step(
            n2(x - y) <= 2 * n2(g) + 2 * n2(h), (Eq(x - y, g + h),)
        ),
        "a vector with a number before it": Step(
            Eq(x, g + h), (eta > 0, Eq(x, (y - z) / eta), Eq(z - y, -eta * (g + h)))
        ),
        "a pivot that may vanish": Step(
            eta**2 * n2(x - y) <= eta**2 * n2(x), (Eq(ip(x - y, y), 0),)
        ),
        "norms that bound each other": Step(
            norm(x) <= r * norm(y), (r >= 0, n2(x) <= r**2 * n2(y))
        ),
        "strong monotonicity": Step(
            a * norm(x - y) <= norm(g - h), (a > 0, ip(g - h, x - y) >= a * n2(x - y))
        ),
        "a product of norms": Step(norm(x) * norm(y) <= (n2(x) + n2(y)) / 2),
        "two bounds that may vanish": Step(
            n2(x + y) <= t * (a + b) ** 2,
            (a >= 0, b >= 0, t >= 0, n2(x) <= t * a**2, n2(y) <= t * b**2),
        ),
        "a longer step goes farther": Step(
            n2(short) <= n2(long), (s > 0, s <= t, ip(long / t - short / s, short - long) >= 0)
        ),
        "the longer of two steps": Step(
            n2(s * short) <= r**2 * n2(long),
            (s > 0, t > 0, s <= r, t <= r, ip(short - long, t * long - s * short) >= 0),
        ),
        "an equation by numbers": Step(Eq(a * n2(x), b * n2(x)), (Eq(2 * a, 2 * b),)),
    }  # fmt: skip


def accepted(step: Step) -> bool:
    """Whether a certificate is found, and the kernel accepts it as it is stored."""
    plain = meant(normalised(step))
    claim = relation(plain.claim)
    said = [g.relation for g in plain.given]
    kinds = kinds_of(*said, plain.claim)
    writer = prove_step(step)
    document = {
        "id": step.id or "a step",
        "names": kinds,
        "given": [{"is": as_json(relation(r)), "from": {"kind": "own"}} for r in said],
        "claim": as_json(claim),
        "lines": as_json(tuple(writer.lines)),
    }
    return bool(checked(document, {}).claim == claim)


@pytest.mark.parametrize("step", [s for s in PROOF if s.rule == "quad"], ids=lambda s: s.id)
def test_every_lemma_has_a_certificate(step: Step) -> None:
    """The project's own lemmas are certified."""
    assert accepted(step)


@pytest.mark.parametrize("name", MORE)
def test_what_papers_need_has_a_certificate(name: str) -> None:
    """Equations solved for vectors, norms, factors that may vanish, and cases."""
    assert accepted(MORE[name])


@pytest.mark.parametrize("step", [s for s in FALSE if s.rule == "quad"], ids=lambda s: s.id)
def test_no_misuse_has_one(step: Step) -> None:
    """The misuses of the lemmas get no certificate."""
    with pytest.raises((NotFound, Rejected, NotApplicable)):
        prove_step(step, 1.0)
