"""A problem, a cohort, a number of rounds and a step size: a run that the theorems speak of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import isqrt
from typing import Any

from sympy import Rational

from fedproof.bounds.catalog import statement
from fedproof.bounds.claims import Hidden
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.papers.fedprox.checks._oracle import ProximalPoint
from fedproof.papers.fedprox.notation import eps
from fedproof.solvers.algorithms.fedmspp import FedMSPP
from fedproof.solvers.algorithms.fedprox import FedProx
from fedproof.solvers.cohort import Participation
from fedproof.solvers.envelope import envelope_gradient
from fedproof.solvers.local.to_suboptimality import ToSuboptimality
from fedproof.validate.verdict import BoundComparison
from fedproof.vocabulary.errors import InputError

EXACT = ProximalPoint()
CONSTANTS = {"L": "smoothness_sample", "G": "lipschitz_sample", "nu": "weak_convexity"}
"""What the letters of the theorems are called among a problem's constants."""


@dataclass(frozen=True, eq=False)
class Experiment:
    """FedProx or FedMSPP with drawn devices and a plain average: (3) and below it.

    Arguments:
        problem: its clients are equally large, so that its loss is (2), the mean over devices.
        count: I.
        rounds: T.
        stepsize: eta, the same in every round.
        solver: the local oracle.
        numbers: the problem's letters and eps, proved on the safe side.
        own: whether eta is the theorem's.
        batch: b of FedMSPP; None is FedProx.
        distinct: whether the devices of a round are distinct; I = M are all of them.
    """

    problem: Any
    count: int
    rounds: int
    stepsize: Fraction
    solver: Any
    numbers: Mapping[str, Any] = field(default_factory=dict)
    own: bool = True
    batch: int | None = None
    distinct: bool = False

    @property
    def method(self) -> FedProx | FedMSPP:
        """FedProx or FedMSPP with mu = 1 / eta."""
        if self.batch is None:
            return FedProx(1 / self.stepsize, local_solver=self.solver)
        return FedMSPP(1 / self.stepsize, self.batch, local_solver=self.solver)

    @property
    def participation(self) -> Participation:
        """Uniform draws, every draw with the same weight."""
        return Participation(self.count, replacement=not self.distinct, average="plain")

    @property
    def letters(self) -> dict[str, Any]:
        """Everything that the statements take."""
        sizes = {"T": self.rounds, "I": self.count, "M": self.problem.n_clients}
        found = {**self.numbers, **sizes, "eta": self.stepsize}
        return found if self.batch is None else found | {"b": self.batch}

    def bound(self, id: str) -> float | None:
        """A statement's bound; None where it does not speak of this run."""
        asked = with_constant(id)
        if not self.own and "eta" not in asked.names:
            return None
        return asked.check(**{name: v for name, v in self.letters.items() if name in asked.names}).bound

    def given(self, **letters: Any) -> Experiment:
        """The same with more letters known."""
        return replace(self, numbers={**self.numbers, **letters})

    def in_floats(self) -> Experiment:
        """The same with the problem rounded, its letters kept."""
        return replace(self, problem=self.problem.as_float())

    def describe(self) -> str:
        """Where the case lies, in words."""
        batch = "" if self.batch is None else f"b={self.batch}, "
        way = " distinct" if self.distinct else ""
        drawn = f"{batch}I={self.count}{way}"
        return f"{self.problem.name}, {drawn}, T={self.rounds}, eta={float(self.stepsize):.4g}"


@cache
def with_constant(id: str) -> StatementHandle:
    """A statement to be asked for its bound; one that hides its constant with that of its proof.

    >>> with_constant("fedprox.theorem1").check(L=1, G=1, Delta=1, T=1, I=1, eps="1e-9").bound
    12.0
    """
    found = statement(id)
    if isinstance(found.claim, Hidden) and found.claim.factor is not None:
        found = replace(found, claim=found.claim.with_constant())
    return StatementHandle(found)


def pace(rounds: int, count: int) -> Fraction:
    """min{T^(-1/3), sqrt(I/T)} of Theorem 1, or with the repaired Theorem 3's J for I, where it is rational.

    Raises: InputError where it is not.

    >>> pace(27, 5), pace(500, 5)
    (Fraction(1, 3), Fraction(1, 10))
    """
    if rounds <= count**3:
        root = round(rounds ** (1 / 3))
        if root**3 == rounds:
            return Fraction(1, root)
    elif rounds % count == 0 and isqrt(rounds // count) ** 2 == rounds // count:
        return Fraction(1, isqrt(rounds // count))
    raise InputError("T", rounds, f"a cube up to {count**3} or {count} times a square beyond it")


def constants(problem: Any) -> dict[str, Any]:
    """L, G and nu among a problem's proved constants; what is not proved is left out."""
    known = {letter: problem.constants[name] for letter, name in CONSTANTS.items()}
    proved = {n: c for n, c in known.items() if c.kind != "estimate" and c.value is not None}
    return {letter: Fraction(constant.value) for letter, constant in proved.items()}


def gap(problem: Any) -> Fraction:
    """An upper bound of R(w_0) - min R, rounding included; exact in fractions."""
    first, least = problem.loss(problem.start()), problem.constants["least_loss"].value
    return above(first) - Fraction(least)


def above(value: Any) -> Fraction:
    """A number that is not below what was rounded to a value; a fraction is what it is."""
    room = 0 if isinstance(value, Fraction) else Fraction(abs(value)) / 10**9
    return Fraction(value) + room


def allowed(id: str, letters: Mapping[str, Any]) -> Fraction:
    """The largest eps_t that a statement's conditions allow.

    >>> allowed("fedprox.theorem1.general", {"L": 1, "G": 2, "I": 1, "eta": Fraction(1, 3)})
    Fraction(2, 9)
    """
    limits = (c.relation.rhs for c in statement(id).conditions if c.relation.lhs == eps)
    return min(_exactly(limit, letters) for limit in limits)


def _exactly(expr: Any, letters: Mapping[str, Any]) -> Fraction:
    found = expr.subs({x: Rational(letters[x.name]) for x in expr.free_symbols}).doit()
    return Fraction(found.p, found.q)


def smooth(
    problem: Any, count: int, rounds: int, eta: Fraction | None = None, distinct: bool = False
) -> Experiment:
    """Theorem 1 with its own step size, or another, and local solves to just the accuracy it asks for."""
    known = constants(problem)
    step = pace(rounds, count) / (3 * known["L"]) if eta is None else eta
    near = allowed("fedprox.theorem1.general", {**known, "I": count, "eta": step})
    numbers = {**known, "Delta": gap(problem), "eps": near}
    solver = ToSuboptimality(near)
    return Experiment(problem, count, rounds, step, solver, numbers, eta is None, distinct=distinct)


def minibatched(
    problem: Any, count: int, batch: int, rounds: int, eta: Fraction | None = None, solver: Any = None,
    distinct: bool = False,
) -> Experiment:  # fmt: skip
    """Theorem 3, repaired, with its own step size or another; H^2 is at most G^2 where it is not known.

    Local solves are to just the accuracy that it asks for, unless there is another solver.
    """
    known = constants(problem)
    apart = Fraction(getattr(problem, "dissimilarity", known["G"] ** 2))
    draws = count / (Fraction(1, batch) + apart / known["G"] ** 2)
    if eta is None and draws.denominator > 1:
        raise InputError("J", draws, "a whole number, so that the step size is rational")
    step = pace(rounds, int(draws)) / (8 * known["L"]) if eta is None else eta
    named = {**known, "I": count, "b": batch, "eta": step}
    near = allowed("fedprox.theorem3.general.repaired", named)
    numbers = {**known, "H2": apart, "Delta": gap(problem), "eps": near}
    chosen = ToSuboptimality(near) if solver is None else solver
    return Experiment(problem, count, rounds, step, chosen, numbers, eta is None, batch, distinct)


def on_line(
    problem: Any, count: int, rounds: int, share: Fraction | None = None, pushed: bool = True,
    distinct: bool = False,
) -> Experiment:  # fmt: skip
    """The same on the line: eta = share / L, or the theorem's, with exact solves or the worst of eps.

    A push by p = 2 L G eta^2 / (I (L eta + 1)) loses (L + 1 / eta) p^2 / 2 = eps at most.
    """
    known = constants(problem)
    found = smooth(problem, count, rounds, None if share is None else share / known["L"], distinct)
    reach = known["L"] * found.stepsize
    push = 2 * known["G"] * found.stepsize * reach / (count * (reach + 1))
    return replace(found, solver=ProximalPoint(push) if pushed else EXACT)


def nonsmooth(
    problem: Any, count: int, rounds: int, rho: Fraction, solver: Any = EXACT, eta: Fraction | None = None,
    batch: int | None = None,
) -> Experiment:  # fmt: skip
    """Theorem 2, or 4, with its own step size rho / sqrt(T), T a square, or another."""
    if isqrt(rounds) ** 2 != rounds and eta is None:
        raise InputError("T", rounds, "a square")
    step = rho / isqrt(rounds) if eta is None else eta
    numbers = {**constants(problem), "rho": rho, "Delta_rho": envelope_gap(problem, rho)}
    return Experiment(problem, count, rounds, step, solver, numbers, eta is None, batch)


def envelope_gap(problem: Any, rho: Fraction) -> Fraction:
    """An upper bound of R_rho(w_0) - min R_rho, rounding included; exact in fractions.

    R and its envelope have the same least value.
    """
    start, least = problem.start(), Fraction(problem.constants["least_loss"].value)
    if hasattr(problem, "envelope"):
        return above(problem.envelope(start, rho)[0][0]) - least
    return above(envelope_gradient(problem, start, rho).value) - least


def admitted(id: str, experiments: Iterable[Experiment]) -> list[tuple[Experiment, float]]:
    """The experiments of which a statement speaks, with their bounds."""
    pairs = ((e, e.bound(id)) for e in experiments)
    return [(e, bound) for e, bound in pairs if bound is not None]


def refused(id: str, metric: str, problem: Any, said: str, **letters: Any) -> BoundComparison:
    """That a statement does not speak of a problem with such letters, and why."""
    known, asked = {**constants(problem), **letters}, with_constant(id)
    why = [
        f"no {letter} ({problem.constants[name].how})"
        for letter, name in CONSTANTS.items()
        if letter in asked.names and letter not in known
    ]
    if not why:
        found = asked.check(**{name: v for name, v in known.items() if name in asked.names})
        why = [f"{condition.label} fails" for condition, decided in found.conditions if not decided.holds]
    if not why:
        raise RuntimeError(f"{id} admits {problem.name}")
    return BoundComparison(
        id, metric, "<=", None, None, f"{problem.name}, {said}", f"Not applicable: {'; '.join(why)}.",
        applies=False,
    )  # fmt: skip
