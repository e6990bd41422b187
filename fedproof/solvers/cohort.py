"""Who takes part in a round, and what their models weigh in the server's average."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from fedproof.problems.problem import Array, Problem
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.result import Shown, Table
from fedproof.vocabulary.values import is_whole

_MOST = 10_000_000
"""Draws a round with replacement; half a second of them."""

_AT_ONCE = 1_000_000
"""Draws that are in memory together."""


@dataclass(frozen=True, eq=False)
class Cohort:
    """The clients of a round.

    Arguments:
        clients: ids in increasing order, shape (k,); the server sums in this order. Each stands there once.
        weights: of their models in the average, in the problem's own arithmetic, shape (k,). They sum to 1;
            those of `Participation(average="scaled")` do so in expectation.
        apart: whether a client stands there once for every time it was drawn, with the weight of one draw.
    """

    clients: Array
    weights: Array
    apart: bool = False

    def __post_init__(self) -> None:
        ids = self.clients
        wrong = ids[1:] < ids[:-1] if self.apart else ids[1:] <= ids[:-1]
        if ids.shape != self.weights.shape or ids.size == 0 or wrong.any():
            raise InputError("cohort", ids.tolist(), "one or more distinct ids in increasing order",
                             "use Cohort.of(problem, ids)")  # fmt: skip

    @classmethod
    def of(cls, problem: Problem, clients: Sequence[int] | Array | None = None) -> Cohort:
        """These clients, or all, weighted by size: FedProxVR, Algorithm 1, line 12.

        >>> from fedproof.problems.quadratics.quadratic import Quadratic
        >>> Cohort.of(Quadratic.of([[[1]]] * 3, [[0]] * 3, sizes=[2, 1])).weights
        array([Fraction(2, 3), Fraction(1, 3)], dtype=object)
        """
        ids = np.arange(problem.n_clients) if clients is None else np.unique(np.asarray(clients))
        return cls(ids, size_weights(problem, ids))


@dataclass(frozen=True)
class Participation(Shown):
    """How a round's clients are drawn and averaged; drawn anew every round.

    Arguments:
        count: clients drawn per round, a whole number >= 1, with replacement at most ten million; None takes
            all of them, each once.
        replacement: whether a client can be drawn again. One that is drawn m times works once, with the
            draws that it has in any cohort, and its weight counts m times; its message counts once. Of an
            algorithm that is `apart` it works and sends m times, each time with draws of its own.
        probability: chance of a client in every draw: "uniform", or "size" for one proportional to D_n.
            Without replacement the draws are successive: each is among the clients not yet drawn.
        average: "size" weights a model by m_n D_n, "plain" by m_n, both divided by their sum over the
            cohort; "scaled" by m_n (D_n / D) N / count, whose sum is 1 in expectation alone.
        available: ids that can take part, N of them with D samples in all; None means every client.

    The average is unbiased for that of full participation, sum_n (D_n / D) w_n, whatever the models are, with

    - all clients and "size" or "scaled";
    - replacement, probability "size" and "plain": Scheme I of Li, Huang, Yang, Wang and Zhang (2020, On the
      convergence of FedAvg on non-IID data), and the sampling of FedProx (Li, Sahu et al., 2020, Alg. 2);
    - probability "uniform" and "scaled": without replacement it is their Scheme II;
    - probability "uniform" and any average, if all D_n are equal.

    Probability "uniform" without replacement and "size" (the default with a count; McMahan et al., 2017,
    FedAvg) is biased unless the D_n are equal; so is "size" without replacement from two draws on.
    "uniform" and "plain" (Yuan and Li, 2022, FedProx and FedMSPP) is unbiased for the plain average over
    the clients, their objective (2).

    >>> Participation(count=2, replacement=True, probability="size", average="plain").headline()
    '2 clients drawn by size with replacement, plain mean'
    >>> Participation().headline()
    'all clients, mean weighed by size'
    """

    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "probability": ("uniform", "size"),
        "average": ("size", "plain", "scaled"),
    }

    count: int | None = None
    replacement: bool = False
    probability: str = "uniform"
    average: str = "size"
    available: tuple[int, ...] | None = None

    def headline(self) -> str:
        """Who takes part in a round, and how their models are averaged."""
        who = "all clients" if self.count is None else f"{count(self.count, 'client')} drawn"
        who += " by size" if self.probability == "size" else ""
        who += " with replacement" if self.replacement else ""
        return f"{who}, {'mean weighed by size' if self.average == 'size' else f'{self.average} mean'}"

    def tables(self) -> tuple[Table, ...]:
        """Its settings."""
        kept = tuple((field.name, getattr(self, field.name)) for field in fields(self))
        return (Table("", ("setting", "value"), kept),)

    def __post_init__(self) -> None:
        for name, known in self.choices.items():
            if getattr(self, name) not in known:
                raise UnknownName(name, str(getattr(self, name)), known)
        if self.count is None and (self.replacement or self.probability != "uniform"):
            what = "replacement" if self.replacement else "probability"
            raise InputError(what, getattr(self, what), "a cohort size too", "say how many clients are drawn")
        if self.count is not None and not (is_whole(self.count) and self.count >= 1):
            raise InputError("cohort size", self.count, "a whole number >= 1")
        if self.count is not None and self.replacement and self.count > _MOST:
            raise InputError("cohort size", self.count, f"at most {_MOST}", "draw fewer")
        if self.probability == "size" and self.average == "scaled":
            raise InputError("average", "scaled", "it with uniform draws only",
                             "use average plain, with replacement the unbiased one")  # fmt: skip

    @classmethod
    def of(cls, given: Participation | int | None, average: str = "size") -> Participation:
        """What a user means: nothing is all clients, a whole number that many, drawn as FedAvg does.

        Arguments:
            average: what is meant where nothing is said of it.
        """
        return given if isinstance(given, Participation) else cls(given, average=average)

    def check(self, problem: Problem) -> None:
        """Refuse what cannot be drawn from this problem's clients.

        Raises: InputError for ids that the problem does not have or more clients than there are.
        """
        n = problem.n_clients
        if self.available is not None:
            ids = list(self.available)
            good = bool(ids) and all(is_whole(i) and 0 <= i < n for i in ids) and len(set(ids)) == len(ids)
            if not good:
                raise InputError("available", ids, f"distinct client ids from 0 to {n - 1}")
            n = len(ids)
        if self.count is not None and self.count > n and not self.replacement:
            raise InputError("cohort size", self.count, f"at most {n}, for there are {n} clients",
                             "draw fewer, or with replacement")  # fmt: skip

    def draw(self, problem: Problem, source: RandomSource, apart: bool = False) -> Cohort:
        """The cohort of one round, from the stream (seed, "participation", round)."""
        rng = source.generator("participation", client=0)
        return self.cohort(problem, lambda high, number: rng.integers(high, size=number), apart)

    def cohort(self, problem: Problem, draw: Callable[[int, int], Array], apart: bool = False) -> Cohort:
        """The cohort that tickets name.

        Arguments:
            problem: for ids, sizes and arithmetic.
            draw: gives `number` whole numbers 0..high-1 for (high, number); independent uniform ones draw the
                cohort.
            apart: whether a client that is drawn m times stands there m times.
        """
        ids = np.arange(problem.n_clients) if self.available is None else np.sort(self.available)
        sizes = problem.sizes[ids]
        times = np.ones_like(ids) if self.count is None else self._times(sizes, self.count, draw)
        drawn = np.repeat(np.arange(len(ids)), times) if apart else np.flatnonzero(times)
        masses = np.ones_like(drawn) if apart else times[drawn]
        if self.average != "plain":
            masses = masses * sizes[drawn]
        weights = _shares(problem, masses)
        if self.average == "scaled":
            top, bottom = int(masses.sum()) * len(ids), int(sizes.sum()) * int(times.sum())
            weights = weights * (problem.number(top) / problem.number(bottom))
        return Cohort(ids[drawn], weights, apart)

    def _times(self, sizes: Array, count: int, draw: Callable[[int, int], Array]) -> Array:
        """How often each client is drawn: ticket numbers are laid out client by client."""
        tickets = sizes if self.probability == "size" else np.ones_like(sizes)
        ends, times = np.cumsum(tickets), np.zeros_like(sizes)
        if self.replacement:
            for first in range(0, count, _AT_ONCE):
                drawn = draw(int(ends[-1]), min(_AT_ONCE, count - first))
                times += np.bincount(np.searchsorted(ends, drawn, side="right"), minlength=len(sizes))
            return times
        for _ in range(count):
            client = int(np.searchsorted(ends, draw(int(ends[-1]), 1)[0], side="right"))
            times[client] += 1
            ends[client:] -= tickets[client]
        return times

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON keeps them."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return values | {"available": None if self.available is None else sorted(map(int, self.available))}


def size_weights(problem: Problem, ids: Array) -> Array:
    """The clients' sizes, divided by their sum, in the problem's arithmetic."""
    return _shares(problem, problem.sizes[ids])


def _shares(problem: Problem, masses: Array) -> Array:
    """Whole numbers divided by their sum, in the problem's arithmetic."""
    one = problem.number(1)
    shares: Array = masses * one / (int(masses.sum()) * one)
    return shares
