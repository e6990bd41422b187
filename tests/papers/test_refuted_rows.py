"""What is called wrong is shown inside the whole domain of the theorem whose proof or claim it is."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import isqrt

import pytest

from fedproof.bounds import catalog
from fedproof.proof.decide import decide
from fedproof.proof.step import Step
from fedproof.proof.step_verdict import witness_values
from fedproof.validate.audit import judge
from fedproof.validate.statement_verdict import declared

Point = dict[str, Fraction]
PAPERS = ("fedproxvr", "composite")
#: the text's own values of Sec. 5, which are at issue themselves
OWN_VALUES = ("fedproxvr.section5.smaller.svrg", "fedproxvr.section5.larger.svrg")
#: (13) is asked of each client with constants of its own, by the row's hypotheses
EACH_CLIENT = "fedproxvr.heterogeneous.instance"
#: Fact 1 calls its step eta; it is used with eta~
STEP_NAMES = {"composite.fact1": "s"}
STEPS = [s for key in PAPERS for s in catalog.steps(key) if s.flaw]


def name(step: Step) -> str:
    """Its id."""
    return step.id


def found(step: Step) -> Point:
    """The numbers of a row, those that its definitions give included."""
    witness = dict(decide(step).witness or {})
    return witness | witness_values(step, witness)


def whole(*values: Fraction) -> bool:
    """Whether these count something."""
    return all(v.denominator == 1 and v >= 1 for v in values)


def theta_part(p: Point) -> bool:
    """Whether Theta > 0, by squares: every root is bounded from above by a rational number."""

    def root(x: Fraction) -> Fraction:
        return Fraction(isqrt(x.numerator * x.denominator * 10**24) + 1, x.denominator * 10**12)

    spread = (1 + p["theta"] ** 2) * (1 + p["sigma2"])
    lost = p["theta"] * root(2 * (1 + p["sigma2"])) + 2 * p["L"] / p["mt"] * root(spread)
    return 1 - lost - 2 * p["L"] * p["mu"] / p["mt"] ** 2 * spread > 0


def lemma1(p: Point) -> bool:
    """Assumption 1 with lambda > 0, mu > lambda, 0 < theta < 1 and (13), tau a whole number."""
    L, beta, mu = p["L"], p["beta"], p["mu"]
    low = 3 * (beta**2 * L**2 + mu**2) / (p["theta"] ** 2 * p["mt"] * L * (beta - 3))
    sizes = 0 < p["lam"] <= L and p["mt"] == mu - p["lam"] > 0 and 0 < p["theta"] < 1 and beta > 3
    return sizes and whole(p["tau"]) and low <= p["tau"] <= (5 * beta**2 - 4 * beta) / 8


def rule13(p: Point, step: str = "eta_t") -> bool:
    """(13), with L = 1 where the row has no L; counts and sizes; mu <= L where there is a mu."""
    L = p.get("L", Fraction(1))
    size = p[step] if step in p else p["eta"] * p["eta_g"] * p["tau"]
    server = "eta_g" not in p or (p["eta_g"] >= Fraction(3, 2) and 8 * p["eta_g"] ** 2 >= p["n"])
    counted = whole(*(p[c] for c in ("n", "tau", "b", "K") if c in p))
    steps = {"eta", "eta_g", "tau", "eta_t"} <= p.keys()
    named = not steps or p["eta_t"] == p["eta"] * p["eta_g"] * p["tau"]
    fine = p.get("mu", L) <= L and p.get("sigma2", 0) >= 0 and p.get("B_g", 1) > 0
    return 0 < size <= 1 / (10 * L) and server and counted and named and fine


@pytest.mark.parametrize("step", STEPS, ids=name)
def test_a_refuted_line_has_numbers_in_its_whole_domain(step: Step) -> None:
    """The numbers satisfy Lemma 1, and Theorem 1 where it is its proof; (13) of the composite paper."""
    p = found(step)
    if step.id in OWN_VALUES:
        assert p["beta"] > 3
        assert whole(p["tau"])
    elif step.id == EACH_CLIENT:
        assert whole(p["tau"], 1 / p["p"])
        assert 0 < p["theta"] < 1
        assert theta_part(p)
        assert all(0 < p[low] <= p[high] for low, high in (("l", "l"), ("lam2", "c")))
    elif step.id.startswith("composite"):
        assert rule13(p, STEP_NAMES.get(step.id, "eta_t"))
    else:
        assert lemma1(p)
        assert step.id.endswith("line10") or theta_part(p)


@pytest.mark.parametrize("step", STEPS, ids=name)
def test_a_refuted_line_says_of_what_its_numbers_are(step: Step) -> None:
    """Its functions and its start stand among its hypotheses; Young's inequality and Sec. 5 have none."""
    reasons = [getattr(h, "why", "") for h in step.hypotheses]
    bare = (*OWN_VALUES, "composite.eq41.young")
    assert any(r.startswith("instance: ") for r in reasons) or step.id in bare


def test_refuted_statements_have_numbers_in_their_whole_domain() -> None:
    """mu > lambda > 0, lambda <= L, theta at most 1; steps that are counted are whole numbers."""
    ids = [id for id, verdict in declared("fedproxvr").items() if verdict == "refuted"]
    points = {id: dict(judge(catalog.statement(id)).witness or {}) for id in ids}
    for id, p in points.items():
        if "heterogeneous" not in id:
            assert 0 < p["lam"] <= p["L"]
            assert p["lam"] < p["mu"]
            assert 0 < p["theta"] <= 1
        assert whole(*(p[t] for t in ("tau", "tau2") if t in p))
    p = points["fedproxvr.remark1.5.tau"]
    assert lemma1(p | {"mt": p["mu"] - p["lam"], "tau": (5 * p["beta"] ** 2 - 4 * p["beta"]) / 8})
    p = points["fedproxvr.remark1.4.monotone"] | {"tau": Fraction(6200)}
    assert all(lemma1(p | {"mu": m, "mt": m - p["lam"]}) for m in (p["mu"], p["mu_later"]))
    assert len(points) == 4


def svrg(p: dict[str, Fraction], beta: int, steps: int) -> bool:
    """(14) with the least a, where the roots are brought to one: a = 4 (2 tau + 3 + 2 sqrt(...))."""
    lower = 3 * (beta**2 + p["mu"] ** 2) / (p["theta"] ** 2 * (p["mu"] - p["lam"]) * (beta - 3))
    most = Fraction(5 * beta**2 - 4 * beta, 32 * (steps + 2)) - (2 * steps + 3)
    return lower <= steps and most >= 0 and 4 * (steps + 1) * (steps + 2) <= most**2


def test_svrg_is_looked_at_where_its_least_beta_is() -> None:
    """At the numbers that break Remark 1(5) no smaller whole beta admits a whole number of steps."""
    p = dict(judge(catalog.statement("fedproxvr.remark1.5.tau")).witness or {})
    admitted = {beta: [t for t in range(1, 85) if svrg(p, beta, t)] for beta in range(4, int(p["beta2"]) + 1)}

    assert p["L"] == 1
    assert [beta for beta, steps in admitted.items() if steps] == [p["beta2"]]
    assert admitted[int(p["beta2"])] == [p["tau2"]]


def test_the_round_that_breaks_45_is_a_first_round() -> None:
    """Every outcome of the errors: the squared movement and the spread of (45), typed from the listing.

    With n clients for 18; both depend on n as the row says.
    """
    (step,) = (s for s in catalog.steps("composite") if s.id == "composite.eq45")
    p, n = found(step), 4
    moved = spread = Fraction(0)
    for errors in product((-1, 1), repeat=n):
        models = [-p["eta"] * e for e in errors]
        mean = sum(models, Fraction(0)) / n
        moved += (p["eta_g"] * mean) ** 2
        drift = [p["eta"] * (Fraction(sum(errors), n) - e) for e in errors]
        spread += sum((d**2 for d in drift), Fraction(0)) / n
    moved, spread = moved / 2**n, spread / 2**n

    assert p["moved"] == moved * n / p["n"]
    assert p["spread"] == spread / (1 - Fraction(1, n)) * (1 - 1 / p["n"])
