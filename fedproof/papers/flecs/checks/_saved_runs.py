"""Logs of FLECS-CGD against Theorems 4 and 5 and Corollary 6."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fedproof.validate.logs.readings import Reading
from fedproof.validate.logs.saved_runs import EVERYONE_ALIKE, SavedRuns

_IDS = (
    "flecs.theorem5.repaired", "flecs.theorem5.sharpened", "flecs.theorem5", "flecs.theorem4.repaired",
    "flecs.theorem4", "flecs.corollary6.units", "flecs.corollary6.repaired", "flecs.corollary6",
    "flecs.theorem5.along", "flecs.theorem5.along.sharpened",
)  # fmt: skip
#: their printed bound on alpha divides by omega
_DIVIDE = ("flecs.theorem5", "flecs.corollary6")
#: what the mean squared error of the shifts is multiplied by in a Lyapunov function, and the gap is added to
_START = ("smoothness", "server_step", "lyapunov_weight", "initial_gap", "mean_shift_error")


def _kappa0(L: Fraction, alpha: Fraction, c: Fraction, gap: Fraction, shifts: Fraction) -> Fraction:
    """The Lyapunov function of Theorem 5 at the start, with shifts of 0."""
    return gap + _weight("SHIFTS5", L=L, alpha=alpha, c=c) * shifts


def _psi0(
    L: Fraction, alpha: Fraction, c: Fraction, gap: Fraction, shifts: Fraction, mu2: Fraction
) -> Fraction:
    """That of Theorem 4."""
    return gap + _weight("SHIFTS4", L=L, alpha=alpha, c=c, mu2=mu2) * shifts


def _weight(name: str, **at: Fraction) -> Fraction:
    from fedproof.algebra.expressions import FractionAlgebra, fold
    from fedproof.papers.flecs.statements import formulas

    return Fraction(fold(getattr(formulas, name), FractionAlgebra(), at))


def _server_step(stepsize: Fraction) -> Fraction:
    """alpha is what the algorithm's file calls its step size."""
    return stepsize


def _floor(*said: Any) -> Fraction | None:
    """mu1: the least eigenvalue that A_k can have."""
    return min(_spectrum(*said), default=None)


def _ceiling(*said: Any) -> Fraction | None:
    """mu2: the largest."""
    return max(_spectrum(*said), default=None)


def _spectrum(
    low: Fraction, high: Fraction, rho: Fraction | None, direction: str | None
) -> tuple[Fraction, ...]:
    """1/Omega, 1/omega, and rho, by which FedSONIA moves beside the sketch; none where these are no such."""
    rest = () if rho is None or direction == "truncated_inverse" else (rho,)
    return () if min(low, high - low, *rest) < 0 or 0 in (low, *rest) else (1 / high, 1 / low, *rest)


_TRUNCATION, _BESIDE = ("truncation_floor", "truncation_ceiling"), ("complement_stepsize", "direction")
#: whatever makes A_k, its spectrum is what Lemma 9 says of it
_HESSIANS = ("hessian_update", "direction", "sketch", "lsr1_core", "hessian_compressor")
_LACKS = "mu1 and mu2 follow from trunc_lo and trunc_hi, and from rho where that is not 1/trunc_hi"
#: A_k is known before the samples of the round's gradients
_OWN = {"hessian_samples": "own"}


def _spec(algorithm: str, speaks_of: str, **fixed: int) -> SavedRuns:
    whole, first_order = fixed.get("compression_variance") == 0, "inverse_hessian_floor" in fixed
    spectrum = {
        "inverse_hessian_floor": (_TRUNCATION, _floor), "inverse_hessian_ceiling": (_TRUNCATION, _ceiling),
    }  # fmt: skip
    ids = tuple(id for id in _IDS if not (whole and id in _DIVIDE))
    return SavedRuns(
        algorithm=algorithm,
        statements={"": ids},
        takes_part=EVERYONE_ALIKE,
        speaks_of=speaks_of,
        printed={} if first_order else _OWN,
        samples=tuple(_OWN),
        unbiased=() if whole else ("gradient_compressor",),
        free=() if first_order else _HESSIANS,
        readings={
            "lyapunov": Reading("lyapunov", "last"),
            "squared_gradient_of_drawn_model": Reading("squared_gradient", "before"),
        },
        derived=({} if first_order else spectrum)
        | {
            "server_step": (("stepsize",), _server_step),
            "initial_nonconvex_lyapunov": (_START, _kappa0),
            "initial_lyapunov": ((*_START, "inverse_hessian_ceiling"), _psi0),
        },
        beside={} if first_order else dict.fromkeys(spectrum, _BESIDE),
        lacks={} if first_order else dict.fromkeys(spectrum, _LACKS),
        fixed={word: Fraction(value) for word, value in fixed.items()},
    )


SAVED_RUNS = (
    _spec("flecs_cgd", "Algorithm 1, flecs_cgd"),
    _spec("flecs", "Algorithm 1, flecs, whose omega is 0", compression_variance=0),
    _spec(
        "diana",
        "DIANA, which is Algorithm 1 with A_k = I",
        inverse_hessian_floor=1,
        inverse_hessian_ceiling=1,
    ),
)
