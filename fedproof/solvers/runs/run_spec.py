"""A run as a value: everything that determines its numbers, and a name made of all that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fedproof.problems.problem import Constant
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.catalog import algorithm_class
from fedproof.solvers.cohort import Participation
from fedproof.solvers.history_file import document_digest
from fedproof.solvers.metrics import chosen_metrics, usual_metrics
from fedproof.solvers.parameters import flat_parameters, merged, whole_number
from fedproof.solvers.randomness import checked_seed
from fedproof.solvers.runs.problem_spec import ProblemSpec, canonical_form, make_problem_spec
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.values import parse_value

_SEEDS = "write seeds=5 or seeds=[0, 1]"


@dataclass(frozen=True, eq=False)
class RunSpec:
    """One run to be done, apart from how it is done.

    Arguments:
        algorithm: its name.
        parameters: as they were given, for `run`.
        exact: every hyper-parameter by canonical word, defaults too, numbers in one form.
        problem_spec: how its problem is made.
        seed, rounds, metrics, participation: of the run.
    """

    algorithm: str
    parameters: Mapping[str, Any]
    exact: Mapping[str, Any]
    problem_spec: ProblemSpec
    seed: int
    rounds: int
    metrics: tuple[str, ...]
    participation: Participation

    def document(self) -> dict[str, Any]:
        """All that determines the numbers, as JSON data."""
        return {
            "algorithm": self.algorithm,
            "parameters": dict(self.exact),
            "problem": self.problem_spec.document(),
            "seed": self.seed,
            "rounds": self.rounds,
            "metrics": sorted(self.metrics),
            "participation": self.participation.to_dict(),
        }

    @cached_property
    def run_key(self) -> str:
        """The SHA-256 of the canonical JSON of the document without its rounds, in hex."""
        return document_digest({name: value for name, value in self.document().items() if name != "rounds"})

    @property
    def key(self) -> str:
        """The name of the run: `run_key` and the number of rounds."""
        return f"{self.run_key}-{self.rounds}"

    def with_seed(self, seed: int) -> RunSpec:
        """The same run from another seed."""
        return replace(self, seed=checked_seed(seed, _SEEDS))


def make_run_spec(
    algorithm: str,
    problem: str | Path | ProblemSpec = "digits",
    *,
    rounds: int = 20,
    seed: int = 0,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
    metrics: Iterable[str] | None = None,
    participation: Participation | int | None = None,
    parameters: Mapping[str, Any] | None = None,
    **hyper: Any,
) -> RunSpec:
    """The specification of one run, its arguments those of `fedproof.run`.

    Arguments:
        algorithm, rounds, seed, clients, problem_seed, problem_options, participation: as `run` takes them.
        problem: a word, the path of a file, or a `ProblemSpec` (which saves reading the file's digest again).
        metrics: names; by default what `run` takes.
        parameters, hyper: hyper-parameters by word or letter.

    Returns: the specification. Hyper-parameters have one key however they are written; options of the problem
        are taken as they stand, so that a default that is written out is another key.
    Raises: InputError or UnknownName, one line each.

    >>> make_run_spec("fedavg", "quadratic", tau=5, eta=0.1).key == make_run_spec(
    ...     "fedavg", "quadratic", local_steps="5", stepsize="1/10").key
    True
    """
    known = algorithm_class(algorithm)
    if not isinstance(problem, ProblemSpec):
        problem = make_problem_spec(problem, clients, problem_seed, problem_options)
    elif clients is not None or problem_seed or problem_options:
        raise InputError("clients", "a recipe too", "a problem by name", "leave one out")
    given = merged(parameters or {}, hyper)
    made = [make_algorithm(known, _with_smoothness(L), given) for L in (1, 2)]
    exact = _exact(*made)
    if metrics is None:
        metrics = usual_metrics(made[0])
    return RunSpec(
        algorithm, given, exact, problem, checked_seed(seed, _SEEDS),
        whole_number("rounds", rounds), _names(metrics, made[0]),
        Participation.of(participation, problem.usual_average),
    )  # fmt: skip


def _exact(made_at_one: Any, made_at_two: Any) -> dict[str, Any]:
    """Every hyper-parameter of the algorithm; 1 / (L stepsize) where the problem's L sets the step size."""
    at_one, at_two = flat_parameters(made_at_one), flat_parameters(made_at_two)
    for name in [name for name, value in at_one.items() if value != at_two[name]]:
        inverse = f"{name.removesuffix('stepsize')}inverse_stepsize"
        at_one[inverse] = canonical_form(1 / parse_value(at_one.pop(name)))
    return at_one


def _with_smoothness(value: int) -> Any:
    """All that an algorithm asks of a problem before it runs."""
    return SimpleNamespace(constants={"smoothness_sample": Constant(value, "exact", "a trial")})


def _names(metrics: Iterable[str], algorithm: Any) -> tuple[str, ...]:
    if isinstance(metrics, Mapping):
        raise InputError("metrics", "functions", "names of metrics", "use fp.run for functions of your own")
    return tuple(chosen_metrics(metrics, algorithm))
