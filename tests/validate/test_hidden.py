"""Bounds up to a hidden constant hold by a proof with a constant, and fall by a family that outgrows them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound, Family, Hidden
from fedproof.bounds.statement import Condition, Statement
from fedproof.bounds.statement_handle import statement
from fedproof.papers.fedprox import notation as x
from fedproof.proof.forall import ForAll
from fedproof.proof.step import Given
from fedproof.validate.claims.bound import judge as judge_bound
from fedproof.validate.claims.hidden import judge
from fedproof.vocabulary.errors import InputError

TRUE, FALSE = catalog.statement("fedprox.theorem1"), catalog.statement("fedprox.theorem3")


def claim(of: Statement, **other: Any) -> Statement:
    """The statement with another claim."""
    return replace(of, claim=replace(of.claim, **other))


def family(**other: Any) -> Statement:
    """The refuted statement with another family."""
    assert isinstance(FALSE.claim, Hidden)
    assert FALSE.claim.family is not None
    return claim(FALSE, family=replace(FALSE.claim.family, **other))


def values(**other: Any) -> Statement:
    """The same with other values of some letters."""
    assert isinstance(FALSE.claim, Hidden)
    assert isinstance(FALSE.claim.family, Family)
    put = {getattr(x, name): sp.sympify(value) for name, value in other.items()}
    return family(values=tuple((s, put.get(s, v)) for s, v in FALSE.claim.family.values))


def test_the_proof_gives_the_constant() -> None:
    """It holds with the constant of its last step and says which; it is open with another or with none."""
    found = judge(TRUE)
    assert found.verdict == "holds"
    assert found.detail.startswith("with the constant 6: ")
    for factor in (sp.Integer(5), None):
        assert judge(claim(TRUE, factor=factor)).verdict == "open"


@pytest.mark.parametrize("factor", [x.T, 6 * x.T**5, sp.Integer(0), sp.Integer(-6), sp.oo], ids=str)
def test_a_constant_is_a_number(factor: sp.Expr) -> None:
    """What moves with the letters, or is not more than 0, is refused."""
    with pytest.raises(InputError, match="expected a fraction > 0"):
        claim(TRUE, factor=factor)


def test_one_constant_broken_breaks_not_every_constant() -> None:
    """Numbers that break a bound with some constant leave the claim of a hidden one open."""
    general = catalog.statement("fedprox.theorem3.general")
    assert judge(replace(TRUE, counterexample=general.counterexample)).verdict == "open"


def test_the_instances_have_the_constants_of_the_family() -> None:
    """The same steps break no statement whose letters are other numbers along the family."""
    n = x.n
    given = {x.L: 1, x.G: 1 / n, x.Delta: 0, x.T: n**2, x.I: 1, x.eta: 1 / n, x.eps: n**-7}
    true = catalog.statement("fedprox.theorem1.general")
    assert isinstance(true.claim, Bound)
    wrong = Family(n, 8, tuple((s, sp.sympify(v)) for s, v in given.items()), n / 100)
    steps = tuple(f"fedprox.theorem3.fails.{name}" for name in ("stays", "second", "least"))
    fell = replace(
        true, claim=Hidden(true.claim.metric, true.claim.expr, family=wrong), counterexample=steps, proof=()
    )
    assert judge(fell).verdict == "open"
    with_steps = replace(true, counterexample=catalog.statement("fedprox.theorem3.general").counterexample)
    assert judge_bound(with_steps).verdict == "open"


def test_a_check_names_the_statement_with_a_number() -> None:
    """Whether it applies is decided; the bound is none, and the statement that supplies it is named."""
    found = statement(TRUE.id).check(L=1, G=2, Delta=1, T=1000, I=10, eps="1e-9")
    assert found.applicable
    assert found.bound is None
    assert (
        found.headline()
        == f"every condition of {TRUE.id} holds; its constant is hidden; {TRUE.id}.explicit says a bound"
    )


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda: values(eps=1), id="outside a condition"),
        pytest.param(lambda: values(G=1), id="another rate"),
        pytest.param(lambda: values(b=x.n**2), id="another definition"),
        pytest.param(lambda: values(Delta=-1), id="outside a domain"),
        pytest.param(lambda: family(growth=x.n / 10), id="more than is shown"),
        pytest.param(lambda: family(growth=sp.Rational(1, 136)), id="bounded"),
        pytest.param(lambda: family(growth=-x.n), id="negative"),
        pytest.param(lambda: family(growth=(-1) ** x.n * x.n), id="no polynomial"),
        pytest.param(lambda: values(T=x.n**3 + sp.Rational(1, 2)), id="not whole"),
        pytest.param(lambda: claim(FALSE, expr=0 * x.L * x.T), id="nothing to outgrow"),
        pytest.param(lambda: family(least=1), id="from too early on"),
        pytest.param(lambda: claim(FALSE, metric="drawn_squared_envelope_gradient"), id="another metric"),
        pytest.param(lambda: replace(FALSE, counterexample=()), id="no steps"),
        pytest.param(lambda: claim(FALSE, family=None), id="no family"),
        pytest.param(lambda: replace(FALSE, counterexample=FALSE.counterexample[:-1]), id="no lower bound"),
        pytest.param(
            lambda: replace(FALSE, counterexample=("fedprox.lemma11.first", *FALSE.counterexample)),
            id="a step that is not proved",
        ),
        pytest.param(
            lambda: replace(FALSE, conditions=(*FALSE.conditions, Condition("b = 1", x.b <= 1))),
            id="one condition more",
        ),
    ],
)
def test_a_family_must_be_inside_and_outgrow(wrong: Any) -> None:
    """Where one thing is wrong with the family or the steps, the statement is open and not refuted."""
    assert judge(FALSE).verdict == "refuted"
    assert judge(wrong()).verdict == "open"


def test_a_lower_bound_that_is_assumed_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A last step may list of itself only what numbers satisfy; the bound that it claims is none of that."""
    last = {s.id: s for s in catalog.steps("fedprox")}[FALSE.counterexample[-1]]
    kept = tuple(h for h in last.given if isinstance(h, Given) and not isinstance(h.relation, ForAll))
    bad = replace(last, id="fedprox.test.assumed", given=(*kept, Given(last.claim)))
    steps = (*catalog.steps("fedprox"), bad)
    monkeypatch.setattr(catalog, "steps", lambda key: steps)
    assert judge(replace(FALSE, counterexample=(*FALSE.counterexample[:-1], bad.id))).verdict == "open"


def test_a_number_that_is_no_metric_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a broken claim has on its other side must bound the metric from below."""
    general = catalog.statement("fedprox.theorem3.general")
    last = {s.id: s for s in catalog.steps("fedprox")}[general.counterexample[-1]]
    with sp.evaluate(False):
        bad = replace(last, id="fedprox.test.huge", claim=sp.Le(sp.Integer(10**9), last.claim.rhs))
    steps = (*catalog.steps("fedprox"), bad)
    monkeypatch.setattr(catalog, "steps", lambda key: steps)
    assert (
        judge_bound(replace(general, counterexample=(*general.counterexample[:-1], bad.id))).verdict == "open"
    )
    assert judge_bound(general).verdict == "refuted"
