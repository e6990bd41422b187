"""Facts that every algorithm obeys, over all that the package discovers."""

from __future__ import annotations

import json
from dataclasses import MISSING, FrozenInstanceError, fields, is_dataclass, replace
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np
import pytest

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithm import Algorithm
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.catalog import algorithm_class, algorithm_names, part_class, part_names
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.parameters import flat_parameters
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError, UnknownName

NAMES = algorithm_names()
EXACT = random_quadratic(8, n_clients=4, dimension=3, samples=[2, 1, 3, 2])
PROBLEM = EXACT.as_float()
COHORT = np.arange(4)
SPARSE = Composite(EXACT, L1(Fraction(1, 9)))


SMALL = {
    "local_steps": 3,
    "batch_size": 1,
    "epochs": 2,
    "most_steps": 3,
    "inexactness": Fraction(1, 2),
    "suboptimality": Fraction(1, 1000),
    "levels": 3,
    "kept": 2,
}


def instances(known: Any, **parts: Any) -> list[Any]:
    """A class at its defaults with little work, and once with every choice it declares."""
    values = {f.name: Fraction(1, 8) for f in fields(known) if f.default is MISSING and f.name not in parts}
    small = {f.name: SMALL[f.name] for f in fields(known) if f.name in SMALL}
    base = known(**values | small | parts)
    choices: dict[str, tuple[str, ...]] = getattr(known, "choices", {})
    return [base, *(replace(base, **{field: c}) for field, all_ in choices.items() for c in all_)]


def variants(name: str) -> list[Any]:
    """An algorithm in all its choices, with every part that its fields can hold in all of theirs.

    Where several fields hold parts, each is varied beside the usual others, and so are the choices.
    """
    known = algorithm_class(name)
    kinds: dict[str, str] = getattr(known, "parts", {})
    parts = {kind: [p for n in part_names(kind) for p in instances(part_class(kind, n))] for kind in kinds}
    usual = {kind: of_kind[0] for kind, of_kind in parts.items()}
    held = [usual | {kind: part} for kind in kinds for part in parts[kind]] or [{}]
    if len(kinds) > 1:
        plain = [a for some in held for a in instances(known, **some)[:1]]
        return [*instances(known, **usual), *plain]
    return [a for some in held for a in instances(known, **some)]


def bearers(algorithm: Any) -> list[Any]:
    """The algorithm and the objects in its fields."""
    return [algorithm, *(getattr(algorithm, kind) for kind in getattr(algorithm, "parts", {}))]


ALL = [algorithm for name in NAMES for algorithm in variants(name)]
#: those for smooth losses, such as the quadratics here; test_kinked_solvers.py has the others
SMOOTH = [a for a in ALL if not any(getattr(bearer, "kinked", False) for bearer in bearers(a))]
every = pytest.mark.parametrize("algorithm", ALL, ids=str)
each = pytest.mark.parametrize("algorithm", SMOOTH, ids=str)
proximal = pytest.mark.parametrize("algorithm", [a for a in ALL if getattr(a, "proximal", False)], ids=str)


def is_exact(algorithm: Any) -> bool:
    """Whether it runs on fractions too; one that says nothing does."""
    return getattr(algorithm, "exact", True)


def one_round(algorithm: Any, problem: Any, cohort: Array = COHORT, draws: Any = None) -> Any:
    """One round from the problem's start."""
    taking = Cohort.of(problem, cohort)
    draws = algorithm.draw(problem, taking.clients, RandomSource(3, 1)) if draws is None else draws
    return algorithm.round(problem, algorithm.init(problem, problem.start()), taking, draws)


def test_every_file_is_covered() -> None:
    """The suite ran over every file of algorithms and local solvers, and every choice they declare."""
    for folder, names in (("algorithms", NAMES), ("local", part_names("local_solver"))):
        files = {p.name.removesuffix(".py") for p in resources.files(f"fedproof.solvers.{folder}").iterdir()}
        assert {n for n in files if not n.startswith("_")} <= set(names)
    covered = {part.name for algorithm in ALL for part in bearers(algorithm)}

    assert covered == {*NAMES, *part_names("local_solver"), *part_names("compressor")}
    assert len(NAMES) >= 12
    assert len(ALL) >= 1 + (1 + 7) + 4 * (3 + 3 + 3 + 1) + (1 + 8) + (1 + 4) + 1 + (1 + 4) + (1 + 2)


@every
def test_shape(algorithm: Any) -> None:
    """A frozen dataclass with the three methods, named as its file."""
    assert isinstance(algorithm, Algorithm)
    assert is_dataclass(algorithm)
    assert algorithm.name in NAMES
    with pytest.raises(FrozenInstanceError):
        algorithm.name_of_a_field = 1


@each
def test_deterministic(algorithm: Any) -> None:
    """The same draws give the same bits, and the same source gives the same draws."""
    (a, _), (b, _) = one_round(algorithm, PROBLEM), one_round(algorithm, PROBLEM)

    assert (a.model == b.model).all()


@each
def test_input_is_not_changed(algorithm: Any) -> None:
    """A round leaves problem, state, cohort and draws as they were."""
    frozen: dict[str, Any] = {
        "matrices": PROBLEM.matrices,
        "slopes": PROBLEM.slopes,
        "centre": PROBLEM.centre,
    }
    problem = replace(PROBLEM, **{k: v.copy() for k, v in frozen.items()})
    draws = algorithm.draw(problem, COHORT, RandomSource(3, 1))
    state = algorithm.init(problem, problem.start())
    for array in (problem.matrices, problem.slopes, problem.centre, state.model, *draws.values()):
        array.flags.writeable = False
    start = state.model.copy()
    algorithm.round(problem, state, Cohort.of(problem), draws)

    assert (state.model == start).all()


class Lending:
    """A problem whose gradients are arrays of its own: read-only, and overwritten by the next call."""

    def __init__(self, problem: Any) -> None:
        self.problem, self.lent = problem, np.zeros(0)

    def __getattr__(self, name: str) -> Any:
        if name in ("step_gradients", "proximal_steps", "sample_differences"):
            raise AttributeError(name)
        return getattr(self.problem, name)

    def lend(self, gradient: Array) -> Array:
        """The gradient, while the one lent before becomes NaN."""
        self.lent.flags.writeable = True
        self.lent[...] = np.nan
        self.lent = gradient
        self.lent.flags.writeable = False
        return self.lent

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """The problem's."""
        return self.lend(self.problem.client_gradients(models, clients))

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        """The problem's."""
        return self.lend(self.problem.sample_gradients(models, clients, samples))


@each
def test_gradients_are_neither_changed_nor_kept(algorithm: Any) -> None:
    """A problem that lends its own arrays until the next call has the rounds of one that gives new ones."""
    lending: Any = Lending(PROBLEM)
    batches = any(f.name == "batch_size" for f in fields(algorithm))
    whole = batches and getattr(algorithm, "sampler", "") != "blocks"
    for same in (algorithm, *([replace(algorithm, batch_size=None)] if whole else [])):
        (one, _), (other, _) = one_round(same, lending), one_round(same, PROBLEM)
        assert (one.model == other.model).all()


@each
def test_the_minimiser_of_identical_noiseless_clients_is_a_fixed_point(algorithm: Any) -> None:
    """Where all sample gradients vanish nothing moves, exactly, unless a model is counted twice."""
    bowl = Quadratic.of(
        [np.diag([1, 2])] * 3, np.zeros((3, 2), int), sizes=[2, 1], centre=[1, 2], origin=[1, 2]
    )
    bowl = bowl if is_exact(algorithm) else bowl.as_float()
    state, _ = one_round(algorithm, bowl, np.arange(2))

    assert (state.model == bowl.centre).all() == (getattr(algorithm, "last_model", "once") == "once")


@each
def test_order_of_clients_changes_no_bit(algorithm: Any) -> None:
    """Clients that work in another order, each with its own draws, send the same arrays."""
    order = np.array([2, 0, 3, 1])
    state = algorithm.init(PROBLEM, PROBLEM.start())
    one, other = (
        algorithm.local(PROBLEM, state, ids, algorithm.draw(PROBLEM, ids, RandomSource(3, 1)))
        for ids in (COHORT, order)
    )

    sent = [f.name for f in fields(one) if getattr(one, f.name) is not None]
    assert "gradients" in sent
    for name in sent:
        assert (getattr(one, name)[order] == getattr(other, name)).all()


@every
def test_draws_of_a_client_do_not_depend_on_its_company(algorithm: Any) -> None:
    """A client's draws are the same alone and in any cohort."""
    full = algorithm.draw(PROBLEM, COHORT, RandomSource(3, 1))
    alone = algorithm.draw(PROBLEM, np.array([2]), RandomSource(3, 1))

    for purpose in full:
        one, other = (np.asarray(values) for values in (full[purpose][2], alone[purpose][0]))
        assert (one[one >= 0] == other[other >= 0]).all()


@each
def test_exact_and_float(algorithm: Any) -> None:
    """The same round in fractions agrees with floats; where it would take roots it is refused."""
    if not is_exact(algorithm):
        with pytest.raises(InputError, match="fractions"):
            one_round(algorithm, EXACT)
        return
    exact, rounded = one_round(algorithm, EXACT)[0].model, one_round(algorithm, PROBLEM)[0].model

    assert all(isinstance(v, Fraction) for v in exact)
    assert np.allclose(exact.astype(float), rounded, rtol=1e-13, atol=1e-15)


@each
def test_trace_counts(algorithm: Any) -> None:
    """The trace has one message size each way and gradient count per client, and one local model if any."""
    _, trace = one_round(algorithm, PROBLEM, np.array([1, 3]))

    assert trace.local_models is None or trace.local_models.shape == (2, 3)
    for counts in (trace.uplink_bits, trace.downlink_bits, trace.gradients):
        assert counts.shape == (2,)
        assert (counts >= 0).all()


@each
def test_runs_and_resumes(algorithm: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rounds are one round and then two, bit for bit, also where three workers share the clients."""
    whole = run(algorithm, PROBLEM, rounds=3, seed=1)
    monkeypatch.setattr("fedproof.solvers.blocks.LEAST_WORK", 1)
    shared = run(algorithm, PROBLEM, rounds=3, seed=1, workers=3)
    resumed = run(algorithm, PROBLEM, rounds=3, seed=1, resume=run(algorithm, PROBLEM, rounds=1, seed=1))

    for other in (resumed, shared):
        assert all((array == whole.state[name]).all() for name, array in other.state.items())
        assert whole.to_dict() == other.to_dict()


@proximal
def test_on_a_penalty(algorithm: Any) -> None:
    """With l1 the same rounds in fractions agree with floats and resume bit for bit; the penalty counts."""
    floats = Composite(PROBLEM, SPARSE.penalty)
    exact, whole = (run(algorithm, problem, rounds=3, seed=1) for problem in (SPARSE, floats))
    resumed = run(algorithm, floats, rounds=3, seed=1, resume=run(algorithm, floats, rounds=1, seed=1))

    assert all(isinstance(v, Fraction) for v in exact.model)
    assert np.allclose(exact.model.astype(float), whole.model, rtol=1e-12, atol=1e-14)
    assert whole.to_dict() == resumed.to_dict()
    assert (exact.model != run(algorithm, EXACT, rounds=3, seed=1).model).any()


@every
def test_bad_parameters_are_refused(algorithm: Any) -> None:
    """Fractional or negative counts, unknown choices and non-positive step sizes are errors of ours."""
    bad: list[tuple[str, Any]] = [("stepsize", 0), ("stepsize", float("nan")), ("local_steps", 1.5)]
    bad += [("local_steps", -1), ("batch_size", 0), ("prox_weight", -1), ("epochs", 0), ("epochs", 0.5)]
    bad += [("inexactness", 0), ("inexactness", 1.5), ("most_steps", 0)]
    bad += [("memory", 0), ("memory", 1.5), ("hessian_learning_rate", 0), ("hessian_learning_rate", 1.5)]
    bad += [("trunc_lo", 0), ("trunc_lo", -1), ("trunc_hi", 0), ("trunc_hi", Fraction(1, 10**9))]
    bad += [("complement_stepsize", 0), ("shift_stepsize", 0), ("levels", 0), ("kept", 0)]
    bad += [("server_stepsize", 0), ("server_stepsize", -1), ("loss_strong_convexity", 0)]
    for bearer in bearers(algorithm):
        names = {f.name for f in fields(bearer)}
        for name, value in bad:
            if name in names:
                with pytest.raises(InputError, match=name):
                    replace(bearer, **{name: value})
        for name in getattr(bearer, "choices", {}):
            with pytest.raises(UnknownName, match=name):
                replace(bearer, **{name: "none of them"})
        for kind in getattr(bearer, "parts", {}):
            with pytest.raises(InputError, match=kind):
                replace(bearer, **{kind: "its name"})


@each
def test_flat_parameters_make_the_same_algorithm(algorithm: Any) -> None:
    """What a history says of the parameters makes an equal algorithm; a part hides no name of its owner."""
    flat = flat_parameters(algorithm)
    names = [f.name for bearer in bearers(algorithm) for f in fields(bearer)]

    again = make_algorithm(type(algorithm), PROBLEM, json.loads(json.dumps(flat)))

    assert flat_parameters(again) == flat
    assert one_round(again, PROBLEM)[0].model.tolist() == one_round(algorithm, PROBLEM)[0].model.tolist()
    assert sorted(names) == sorted(name.rpartition(".")[2] for name in flat)
