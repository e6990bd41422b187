"""The worst problems on the line that an evolution of thousands found for each theorem, in fractions.

One coordinate loses nothing: both sides of every bound add up over the entries of diagonal problems.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite


@dataclass(frozen=True)
class WorstInstance:
    """A problem on the line, as text; numbers are in the order of the clients.

    Arguments:
        id: the statement whose bound it comes near to.
        server, steps, share, rounds: eta_g, tau, L eta~ for L = 1, R.
        curvatures, slopes, corrections: of the clients.
        weight, low, high: of the penalty; empty where there is no bound.
        start: pre-proximal model.
        noise: values of the samples' noise; empty for full gradients.
    """

    id: str
    server: str
    steps: int
    share: str
    rounds: int
    curvatures: str
    slopes: str
    corrections: str
    weight: str
    low: str
    high: str
    start: str
    noise: str

    @cached_property
    def experiment(self) -> RunExperiment:
        """In fractions."""
        ends = [Fraction(e) if e else None for e in (self.low, self.high)]
        penalty = Separable(Fraction(self.weight), Fraction(0), *ends)
        noise = self.noise.split() or ["0"]
        name = f"a = {self.curvatures}, s = {self.slopes}, c = {self.corrections}, from {self.start}"
        name += f", noise {self.noise}" if self.noise else ""
        instance = line(self.curvatures.split(), self.slopes.split(), penalty, noise, name)
        server = Fraction(self.server)
        eta = Fraction(self.share) / (server * self.steps)
        method = FedComposite(eta, self.steps, server, 1 if self.noise else None)
        start, corrections = fractions([self.start]), fractions(self.corrections.split())
        return RunExperiment(instance, method, start, corrections[:, None])


#: from starts and corrections with full gradients, and from noise alone, in the order of the fields
_INSTANCES: tuple[tuple[Any, ...], ...] = (
    ("3.5", "3/2", 4, "1/10", 20, "1 1 1 1", "-3/16 -1/8 0 -1/16",
     "1/8 0 -1/16 -1/16", "1/16", "", "", "-17/16", ""),
    ("3.5", "3/2", 1, "1/10", 12, "1", "0",
     "0", "1/2", "", "", "0", "17/16 0 -17/16 0"),
    ("3.5.sharpened", "1", 4, "1/10", 20, "1 1 1 1", "-7/16 1/8 1/16 9/16",
     "1/2 -1/16 0 -7/16", "1/8", "-1/16", "15/16", "19/16", ""),
    ("3.5.sharpened", "4", 1, "1/10", 12, "1", "0",
     "0", "5/8", "-3/8", "5/8", "0", "-21/16 0 0 21/16"),
    ("3.6.repaired", "3/2", 4, "1/10", 1, "1 0", "-1 -25/16",
     "5/8 -5/8", "0", "", "", "-15/8", ""),
    ("3.6.repaired", "3/2", 4, "1/10", 20, "1/2 1 0 1/2", "1/16 -1/8 1/8 -1/16",
     "-1/16 -1/8 1/8 1/16", "0", "", "", "1/2", ""),
    ("3.6.repaired", "3/2", 1, "1/10", 12, "1 1 1 1", "0 0 0 0",
     "0 0 0 0", "1/2", "", "", "0", "-25/16 57/16 -27/16 -5/16"),
    ("3.6.sharpened", "1", 4, "1/10", 1, "1/2 1/2", "1/16 -1/16",
     "-1/16 1/16", "0", "0", "1/8", "1/16", ""),
    ("3.6.sharpened", "1", 4, "1/10", 20, "1/2 1 0 1/2", "0 1/8 -3/16 1/16",
     "0 0 1/16 -1/16", "0", "-1/4", "1/16", "-3/8", ""),
    ("3.6.sharpened", "1", 2, "1/10", 12, "1 1", "0 0",
     "0 0", "1/16", "-15/16", "29/16", "0", "5/16 -7/16 1/8 0"),
    ("3.8", "2", 4, "1/300", 10, "1 1 -1 1", "63/16 -1/16 1/16 3/4",
     "-19/8 13/8 -1/16 13/16", "0", "", "", "63/16", ""),
    ("3.8", "1", 4, "1/300", 10, "1", "0",
     "0", "0", "", "", "0", "1/16 -5/16 3/16 1/16"),
    ("3.8.sharpened", "1", 4, "1/40", 1, "5/8 -1/8", "-7/8 1/16",
     "3/8 -3/8", "0", "-11/16", "19/8", "-3/16", ""),
    ("3.8.sharpened", "2", 4, "1/10", 1, "1", "-5/8",
     "0", "1/2", "-23/16", "17/16", "-1/16", ""),
    ("3.8.sharpened", "1", 4, "1/40", 20, "1 11/16 5/16 -1", "1/8 1/4 -1/16 -1/16",
     "0 -1/8 1/8 0", "0", "-3/8", "1/16", "0", ""),
    ("3.8.sharpened", "4", 1, "1/10", 40, "1", "0",
     "0", "0", "-1/8", "1/2", "0", "1/16 1/16 0 -1/8"),
    ("3.5.any_server.sharpened", "1", 4, "1/10", 20, "1 1", "-3/4 11/16",
     "11/16 -11/16", "1/8", "-7/4", "5/8", "9/16", ""),
    ("3.5.any_server.sharpened", "1/2", 4, "1/20", 20, "1 1 1 1", "1/8 -1/8 -1/16 0",
     "-1/8 1/16 1/16 0", "1/16", "-3/16", "5/16", "-1/8", ""),
    ("3.5.any_server.sharpened", "4", 1, "1/10", 12, "1", "0",
     "0", "1/16", "-1/4", "1/8", "0", "-1/8 1/8 0 0"),
    ("3.5.any_server.sharpened", "1/2", 1, "1/20", 12, "1", "0",
     "0", "1/16", "-1/16", "3/4", "0", "1/8 0 -1/8 0"),
    ("3.6.any_server.sharpened", "1/4", 4, "1/40", 1, "11/16 -3/16", "3/8 -3/8",
     "-7/16 7/16", "0", "-11/16", "5/8", "1/4", ""),
    ("3.6.any_server.sharpened", "1/4", 4, "1/40", 20, "1 1/2 1/2 -1", "1/8 1/8 0 -1/16",
     "0 -1/16 1/16 0", "0", "-3/16", "1/8", "0", ""),
    ("3.6.any_server.sharpened", "4", 2, "1/10", 12, "1 1", "0 0",
     "0 0", "1/16", "-1/4", "3/8", "0", "7/16 -3/16 -3/8 1/8"),
    ("3.6.any_server.sharpened", "1/2", 1, "1/20", 12, "1", "0",
     "0", "3/16", "-45/16", "5/16", "0", "5/8 -1/4 -11/16 5/16"),
)  # fmt: skip

WORST = tuple(WorstInstance(f"composite.theorem{number}", *fields) for number, *fields in _INSTANCES)
