"""Optuna searches what a statement admits, and nothing else; where Optuna is installed."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import pytest

from fedproof.adapters.optuna import AdmissibleSpace, admissible_space
from fedproof.bounds.statement_handle import statement
from fedproof.vocabulary.errors import InputError, MissingName, UnknownName
from tests.refusals import refused

SARAH = "fedproxvr.certified.sarah"
GIVEN: dict[str, Any] = {"L": 1, "lam": "1/2", "sigma2": 1}

pytestmark = pytest.mark.filterwarnings("default")  # Optuna marks parts of itself as experimental


def plane() -> AdmissibleSpace:
    """beta and tau under the closed chain of FedProxVR with SARAH; from beta = 20 on there is a whole tau."""
    return admissible_space(SARAH, ["beta", "tau"], within={"beta": (20, 200)}, mu=100, **GIVEN)


@pytest.fixture
def optuna() -> Any:
    """Optuna, which says nothing."""
    found = pytest.importorskip("optuna")
    found.logging.set_verbosity(found.logging.ERROR)
    return found


@pytest.mark.parametrize("kind", ["RandomSampler", "TPESampler"])
def test_no_inadmissible_trial_is_suggested(optuna: Any, kind: str) -> None:
    """Over 1,000 trials of a sampler every suggestion satisfies every condition, decided exactly."""
    space, chain, seen = plane(), statement(SARAH), set()
    study = optuna.create_study(sampler=getattr(optuna.samplers, kind)(seed=1))
    for _ in range(1000):
        trial = study.ask()
        found = space.suggest(trial)
        assert trial.params == found
        assert chain.applies(mu=100, **GIVEN, **found)
        assert isinstance(found["tau"], int)
        study.tell(trial, found["beta"] + found["tau"] / 100)
        seen.add(found["tau"])

    assert len(seen) > 50


def test_the_largest_tau_is_the_printed_one(optuna: Any) -> None:
    """At every suggestion tau is at most (5 beta^2 - 4 beta) / 8, (13), by hand; some come near."""
    space, closest = plane(), 0.0
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=2))
    for _ in range(100):
        found = space.suggest(study.ask())
        beta = Fraction(repr(found["beta"]))
        most = (5 * beta**2 - 4 * beta) / 8
        assert found["tau"] <= most
        closest = max(closest, float(found["tau"] / most))

    assert closest > 0.9


def test_three_parameters(optuna: Any) -> None:
    """With mu searched too, later ranges depend on earlier values and none is empty."""
    limits = {"mu": (1, 100), "beta": (4, 200)}
    space = admissible_space(SARAH, ["mu", "beta", "tau"], within=limits, **GIVEN)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=3))
    for _ in range(30):
        found = space.suggest(study.ask())
        assert statement(SARAH).check(**GIVEN, **found).applicable


def test_a_parameter_that_leaves_no_whole_number_prunes_the_trial(optuna: Any) -> None:
    """With beta first, a sampler that is drawn to its least value meets no whole tau there, and is told."""
    space = admissible_space(SARAH, ["beta", "tau"], within={"beta": (4, 200)}, mu=100, **GIVEN)
    least = space.handle.range("beta", mu=100, **GIVEN).intervals[0][0]
    assert statement(SARAH).range("tau", mu=100, beta=least, **GIVEN).integers is None

    with pytest.raises(optuna.TrialPruned, match="nothing of tau is left"):
        space.suggest(optuna.trial.FixedTrial({"beta": least}))


def test_the_constraint_is_exact_in_the_box(optuna: Any) -> None:
    """In the box some points are admissible and some are not; the constraints are at most 0 just there."""
    space, outcomes = plane(), []
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
    for _ in range(60):
        trial = study.ask(space.distributions)
        applies = statement(SARAH).applies(mu=100, **GIVEN, **trial.params)
        values = dict(zip(space.labels, space.constraints(trial), strict=True))
        for label, value in values.items():
            if hasattr(trial, "set_constraint"):  # Optuna 5
                trial.set_constraint(label, value)
        assert applies == all(value <= 0 for value in values.values())
        study.tell(trial, -trial.params["tau"])
        outcomes.append(applies)

    assert {True, False} == set(outcomes)
    assert "beta at most" in space.labels


def test_the_box_is_the_range(optuna: Any) -> None:
    """The sides of the box have the ends of `range` with the others left out, by hand for tau: (13)."""
    box = plane().distributions

    assert box["beta"] == optuna.distributions.FloatDistribution(20, 200)
    assert box["tau"].high == (5 * 200**2 - 4 * 200) // 8
    assert statement(SARAH).range("beta", mu=100, tau=box["tau"].low, **GIVEN).intervals
    assert not statement(SARAH).range("beta", mu=100, tau=box["tau"].low - 1, **GIVEN).intervals


def test_an_open_end_is_no_suggestion(optuna: Any) -> None:
    """Where the end of a range is a double that is not admissible itself, the interval begins beyond it."""
    given: dict[str, Any] = {"L": 1, "lam": 0, "sigma2": 0, "mu": 9}
    space = admissible_space("fedproxvr.theorem1", ["theta"], **given)
    side = space.distributions["theta"]

    assert space.handle.range("theta", **given).intervals[0][0] == 0
    assert 0 < side.low < side.high < 1
    assert space.handle.applies(theta=side.low, **given)
    assert space.handle.applies(theta=side.high, **given)


def test_a_planted_space_is_caught(optuna: Any) -> None:
    """A space without the limits of its ranges would suggest what the statement does not admit."""

    class Wrong(AdmissibleSpace):
        def suggest(self, trial: Any) -> dict[str, Any]:
            return {"beta": trial.suggest_float("beta", 4, 200), "tau": trial.suggest_int("tau", 1, 25000)}

    space = Wrong(plane().handle, plane().names, plane().given)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    suggested = [space.suggest(study.ask()) for _ in range(50)]

    assert not all(statement(SARAH).applies(mu=100, **GIVEN, **found) for found in suggested)


def test_what_cannot_be_meant_is_refused_in_one_line() -> None:
    """Unknown and missing names, twice the same, no end, nothing admissible."""
    refused(UnknownName, "bta.*did you mean beta", admissible_space, SARAH, ["bta"], **GIVEN)
    refused(MissingName, "no value for mu", admissible_space, SARAH, ["beta", "tau"], **GIVEN)
    refused(InputError, "tau twice", admissible_space, SARAH, ["tau", "local_steps"], mu=9, beta=9, **GIVEN)
    refused(InputError, "within=\\{'beta'", admissible_space, SARAH, ["beta", "tau"], mu=100, **GIVEN)
    refused(InputError, "an admissible one", admissible_space, SARAH, ["tau"], mu=100, beta=5, **GIVEN)
    refused(InputError, "one or more parameters", admissible_space, SARAH, [], **GIVEN)


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making a space needs no Optuna; searching it names the extra."""
    monkeypatch.setitem(sys.modules, "optuna", None)

    refused(InputError, r"the extra optuna; run pip install 'fedproof\[optuna\]'", plane().suggest, None)


def test_a_letter_is_given_once() -> None:
    """A letter and its word, given or limited, are one thing said twice."""
    limits = {"beta": (20, 200), "tau": (1, 99)}
    asked = {"names": ["beta", "tau"], "within": limits, "mu": 100, **GIVEN}
    refused(InputError, "L: got it twice", admissible_space, SARAH, **asked, smoothness_sample=100)
    asked["within"] = {**limits, "local_steps": (20, 30)}
    refused(InputError, "tau: got it twice", admissible_space, SARAH, **asked)
