"""Constants of a run's problem, computed from its data when the run is judged: no log's word is taken."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import isclose, isfinite

import numpy as np

from fedproof.measure.api import CONSTANTS, measure
from fedproof.measure.start import constants, smooth_part
from fedproof.problems.composite.composite import Composite
from fedproof.problems.digest import problem_digest
from fedproof.problems.problem import Problem, counts_alike
from fedproof.validate.logs.compressor_omega import omega_of
from fedproof.validate.logs.run_log import Known, RunLog
from fedproof.vocabulary.errors import DataError, InputError

#: what no proof gives, or what other constants give better
_LEFT_OUT = ("inexactness", "gradient_variance")
#: what is computed only where a statement asks for it
_COSTLY = ("dissimilarity",)
_OF_THE_START = ("initial_gap", "initial_dissimilarity")
_ELSEWHERE = "at the problem's own start, where the record does not show that it began"
#: what the losses of one model may differ by, relatively, by the order of sums
_APART = 1e-6


@dataclass(frozen=True)
class ProvedData:
    """A problem at hand with what is proved of it, which is computed once a log that it fits asks for it.

    Arguments:
        problem: in floats, on which the runs are said to be.
        words: canonical; constants that nobody asks for are not computed. None computes all.

    >>> from fedproof.problems.catalog import make_problem
    >>> found = ProvedData(make_problem("quadratic", 2).as_float(), {"smoothness"})
    >>> "smoothness" in found.constants, "dissimilarity" in found.constants
    (True, False)
    """

    problem: Problem
    words: Collection[str] | None = None

    @cached_property
    def digest(self) -> str:
        """Of what determines its numbers; a record that has another is refused."""
        return problem_digest(self.problem)

    @cached_property
    def constants(self) -> Mapping[str, float]:
        """Proved values on the safe side, by canonical word."""
        only = [n for n in CONSTANTS if n not in _LEFT_OUT and (n not in _COSTLY or self._asked(n))]
        proved, _ = constants(
            self.problem, measure(smooth_part(self.problem), rounds=1, only=only), same_weights=True
        )
        return {word: value for word, value in proved.items() if isfinite(value)}

    def _asked(self, word: str) -> bool:
        return self.words is None or word in self.words

    def beside(self, log: RunLog) -> RunLog:
        """The log with these constants in place of its own.

        Raises: DataError for a log that is no record, or one of another problem; InputError for the plain
            mean of the clients' models on a loss in which larger clients count more. A record whose loss of
            round 0 is not the problem's at its start began elsewhere, and is refused too: DataError.
        """
        if not log.digest:
            what, cure = "a log that does not prove on which data it ran", "give constants in its header"
            raise DataError(log.name, what, "a record of fedproof beside a problem", cure)
        if log.digest != self.digest:
            said = f"a run on {log.problem}"
            raise DataError(log.name, said, f"one on {self.problem.name}", "give the problem that it ran on")
        self._check_weights(log)
        unsure = {} if self._began_there(log) else dict.fromkeys(_OF_THE_START, _ELSEWHERE)
        proved = {
            word: Known(Fraction(value), unsure.get(word, "")) for word, value in self.constants.items()
        }
        proved["clients"] = Known(Fraction(self.problem.n_clients), "")
        if (log.participation or {}).get("count") is None:
            proved["cohort_size"] = proved["clients"]
        proved |= omega_of(log.choices, log.numbers, self.problem.dimension)
        return replace(log, numbers={**log.numbers, **proved})

    def _began_there(self, log: RunLog) -> bool:
        """Whether a record shows that it began at the problem's start, by its loss of round 0.

        Raises: DataError for a loss that differs from the one there.
        """
        (seen, *_), own = log.columns.get("loss", (None,)), self._first_loss
        if seen is None or own is None:
            return False
        if not isclose(seen, own, rel_tol=_APART):
            said = f"a loss of {seen:.9g} in round 0"
            cure = "run it without x0, or judge it without the problem"
            raise DataError(log.name, said, f"{own:.9g}, that of the problem's start", cure)
        return True

    @cached_property
    def _first_loss(self) -> float | None:
        """The loss at the start; None where a proximal step, which comes before round 0, moves that."""
        start = self.problem.start()
        penalty = self.problem.penalty if isinstance(self.problem, Composite) else None
        stays = penalty is None or np.array_equal(penalty.prox(start, 1.0), start)
        return float(self.problem.loss(start)) if stays else None

    def _check_weights(self, log: RunLog) -> None:
        plain = (log.participation or {}).get("average") == "plain"
        sizes = set(self.problem.sizes.tolist())
        if plain and len(sizes) > 1 and not counts_alike(self.problem):
            got = "a plain mean of models, a loss weighed by size"
            cure = 'run it with --weights equal, weights="equal" of fp.problem'
            raise InputError(log.name, got, "a loss in which every client counts the same", cure)
