"""The cheapest whole numbers of rounds, local steps and samples that a convergence bound allows."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import mul

MOST = 10**12
"""Beyond this no batch or number of local steps is looked for."""
ROUNDING = 1e-11
"""Relative: far above the rounding of the few operations that a number of rounds takes."""
SUMS = 1e-15
"""Relative: what the few sums and products of a cost may be off, so that none lies below what is proved."""
CLOSE = 1e-10
"""Relative: a gap at which the search ends, and a range of steps that is not cut further."""


@dataclass(frozen=True)
class CostModel:
    """What a round costs: per_round + local steps x (per_step + batch size x per_sample), in seconds."""

    per_round: float
    per_step: float
    per_sample: float

    def of(self, steps: int, batch: int) -> float:
        """Of one round."""
        return self.per_round + steps * (self.per_step + batch * self.per_sample)


@dataclass(frozen=True)
class RoundBound:
    """What a bound says: start(R) + residual <= accuracy after R rounds.

    Arguments:
        rounds: from the step of a round and what the residual leaves of the accuracy to the real number of
            rounds; falls in both.
        residual: from the step of a round and the samples per client and round to the residual; rises in the
            first, falls in the second.
        accuracy: > 0.
        steps: least and largest step of a round that are looked at; equal where the largest is best.
        samples: from local steps and batch size, which may be inf, to what counts as samples; rises in both.
    """

    rounds: Callable[[float, float], float]
    residual: Callable[[float, float], float]
    accuracy: float
    steps: tuple[float, float]
    samples: Callable[[float, float], float] = mul

    def least_rounds(self, steps: tuple[float, float], samples: float) -> float:
        """Rounds that any step in an interval needs at least with so many samples; inf if none suffices."""
        low, high = steps
        left = self.accuracy - self.residual(low, samples) * (1 - ROUNDING)
        if left <= 0:
            return math.inf
        return max(1, math.ceil(self.rounds(high, left) * (1 - ROUNDING)))

    def enough_rounds(self, step: float, samples: float) -> float:
        """Rounds that suffice."""
        left = self.accuracy - self.residual(step, samples) * (1 + ROUNDING)
        if left <= 0:
            return math.inf
        return max(1, math.ceil(self.rounds(step, left) * (1 + ROUNDING)))


@dataclass(frozen=True)
class CostMinimum:
    """The cheapest numbers found, and a proved lower bound of the cost of all others.

    Arguments:
        cost: rounds x cost of a round, seconds; inf where nothing reaches the accuracy.
        lower_bound: no numbers cost less.
        rounds, local_steps, batch_size: whole.
        step: of a round.
    """

    cost: float
    lower_bound: float
    rounds: float
    local_steps: int
    batch_size: int
    step: float

    @property
    def gap(self) -> float:
        """Proved relative distance from the least cost."""
        return self.cost / self.lower_bound - 1 if self.lower_bound > 0 else math.inf


@dataclass(frozen=True, order=True)
class _Box:
    """Whole ranges of local steps and batch sizes and a range of steps of a round, ends included."""

    bound: float
    local_steps: tuple[int, int]
    batch: tuple[int, int]
    steps: tuple[float, float]

    def halves(self) -> Iterator[tuple[tuple[int, int], tuple[int, int], tuple[float, float]]]:
        """Two smaller ranges, cut where it is relatively widest."""
        (a, b), (c, d), (e, f) = self.local_steps, self.batch, self.steps
        widths = (b / a if b > a else 1.0, d / c if d > c else 1.0, f / e)
        widest = widths.index(max(widths))
        if widest == 0:
            middle = max(a, min(b - 1, math.isqrt(a * b)))
            yield from (((a, middle), (c, d), (e, f)), ((middle + 1, b), (c, d), (e, f)))
        elif widest == 1:
            middle = max(c, min(d - 1, math.isqrt(c * d)))
            yield from (((a, b), (c, middle), (e, f)), ((a, b), (middle + 1, d), (e, f)))
        else:
            cut = math.sqrt(e * f)
            yield from (((a, b), (c, d), (e, cut)), ((a, b), (c, d), (cut, f)))

    @property
    def point(self) -> bool:
        """Whether nothing is left to cut."""
        (a, b), (c, d), (e, f) = self.local_steps, self.batch, self.steps
        return a == b and c == d and f / e <= 1 + CLOSE


def minimise_cost(
    round_bound: RoundBound,
    costs: CostModel,
    most_batch: int | None = None,
    most_boxes: int = 20_000,
    most_steps: int = MOST,
) -> CostMinimum:
    """Minimise rounds x cost of a round over whole numbers under a bound, by branch and bound.

    Over a range of local steps, batch sizes and steps of a round, the fewest rounds that any of them needs
    times the cost of the cheapest round is a lower bound; ranges are halved until it meets what was found.
    Where no batch is capped, one local step on a batch of all samples is never dearer, so only that is
    searched: samples must then be the product.

    Arguments:
        round_bound: what it says.
        costs: of a round, all >= 0.
        most_batch: largest batch size; None for no cap.
        most_boxes: after so many ranges the search ends with what is proved by then.
        most_steps: most local steps that are looked at where the batch is capped.

    >>> harmonic = RoundBound(lambda s, left: 1 / (s * left), lambda s, m: 0.5 / m, 1.0, (0.1, 0.1))
    >>> found = minimise_cost(harmonic, CostModel(1.0, 0.0, 0.01))
    >>> found.rounds, found.local_steps, found.batch_size, found.gap < 1e-14
    (11, 1, 6, True)
    """
    top = MOST if most_batch is None else most_batch
    steps = (1, 1) if most_batch is None else (1, most_steps)
    if round_bound.residual(round_bound.steps[1], 1) <= round_bound.residual(round_bound.steps[1], math.inf):
        top, steps = 1, (1, 1)  # samples change nothing
    best = CostMinimum(math.inf, 0.0, math.inf, 1, 1, round_bound.steps[1])
    waiting = [_box(round_bound, costs, steps, (1, top), round_bound.steps)]
    proved, looked = _shorter(round_bound, costs), 0
    while waiting and waiting[0].bound < best.cost * (1 - CLOSE) and looked < most_boxes:
        box = heapq.heappop(waiting)
        looked += 1
        best = min((best, *_points(round_bound, costs, box)), key=lambda candidate: candidate.cost)
        if box.point:
            proved = min(proved, box.bound)
            continue
        for half in box.halves():
            smaller = _box(round_bound, costs, *half)
            if smaller.bound < best.cost:
                heapq.heappush(waiting, smaller)
    lower = min([proved, best.cost, *(box.bound for box in waiting[:1])]) * (1 - SUMS)
    return CostMinimum(best.cost, lower, best.rounds, best.local_steps, best.batch_size, best.step)


def _shorter(round_bound: RoundBound, costs: CostModel) -> float:
    """A lower bound of the cost with steps that are shorter than those searched."""
    low, high = round_bound.steps
    if low == high:
        return math.inf
    return max(1.0, round_bound.rounds(low, round_bound.accuracy) * (1 - ROUNDING)) * costs.of(1, 1)


def _box(
    round_bound: RoundBound,
    costs: CostModel,
    local: tuple[int, int],
    batch: tuple[int, int],
    steps: tuple[float, float],
) -> _Box:
    # the largest numbers searched stand for all beyond them too
    ends = (math.inf if most == MOST else most for most in (local[1], batch[1]))
    fewest = round_bound.least_rounds(steps, round_bound.samples(*ends))
    return _Box(fewest * costs.of(local[0], batch[0]), local, batch, steps)


def _points(round_bound: RoundBound, costs: CostModel, box: _Box) -> Iterator[CostMinimum]:
    """The rounds of the corner with most samples, with no more local steps and samples than they need."""
    local, batch, step = box.local_steps[1], box.batch[1], box.steps[1]
    rounds = round_bound.enough_rounds(step, round_bound.samples(local, batch))
    if math.isinf(rounds):
        return

    def enough(steps: int, size: int) -> bool:
        return round_bound.enough_rounds(step, round_bound.samples(steps, size)) <= rounds

    for steps in (_least(lambda k: enough(k, batch), local), local):
        least = _least(partial(enough, steps), batch)
        yield CostMinimum(rounds * costs.of(steps, least), 0.0, rounds, steps, least, step)


def _least(enough: Callable[[int], bool], most: int) -> int:
    """The least whole number from 1 to `most` that is enough, if `most` is and more never hurts.

    >>> _least(lambda k: k * k >= 10, 100)
    4
    """
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low
