"""The amending bounds are never above the printed ones where both apply, term by term."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.composite.notation import *
from fedproof.papers.composite.statements import formulas as f
from fedproof.papers.composite.statements.printed import ETA_T, KEY, LOCAL_STEPS, SERVER, STEP, STEPS
from fedproof.papers.composite.statements.sharpened import MU

with printed():
    _START35 = f.SHARP35_START <= f.THEOREM35_START
    _LESS35 = f.SHARP35_VARIANCE <= f.THEOREM35_VARIANCE + f.THEOREM35_SUBGRADIENTS
    _LESS36 = f.SHARP36_VARIANCE <= f.THEOREM36_VARIANCE + f.THEOREM36_SUBGRADIENTS
    _FACTOR36 = f.SHARP_FACTOR <= f.FACTOR
    _NOT_NEGATIVE = f.SHARP_FACTOR >= 0


def _less(
    number: str,
    part: str,
    title: str,
    symbols: tuple[sp.Symbol, ...],
    then: sp.Basic,
    *conditions: Condition,
) -> Statement:
    theorem = f"{KEY}.theorem{number}"
    return Statement(
        f"{theorem}.sharpened.{part}",
        title,
        Source(KEY, f"Theorem {number}; not in the paper"),
        letters(*symbols),
        Implies((), then),
        (ETA_T,),
        (LOCAL_STEPS, *conditions),
        uses=(theorem, f"{theorem}.sharpened"),
    )


ALL = (L, n, tau, b, sigma2, B_g)
START35 = _less(
    "3.5",
    "start",
    "What rounds remove is less in the sharpened Theorem 3.5 than in the printed one",
    (tau, *STEPS, Omega1, R),
    _START35,
)
RESIDUAL35 = _less(
    "3.5",
    "residual",
    "The residual of the sharpened Theorem 3.5 is at most the printed one",
    (*ALL, *STEPS),
    _LESS35,
    STEP,
    SERVER,
)
FACTOR36 = _less(
    "3.6",
    "factor",
    "A round of the sharpened Theorem 3.6 leaves at most what one of the printed theorem leaves",
    (L, tau, mu, *STEPS),
    _FACTOR36,
    STEP,
    MU,
)
SIGN36 = _less(
    "3.6",
    "sign",
    "The factor of the sharpened Theorem 3.6 is not negative, so that its powers are in order too",
    (L, tau, mu, *STEPS),
    _NOT_NEGATIVE,
    STEP,
    MU,
)
RESIDUAL36 = _less(
    "3.6",
    "residual",
    "The residual of the sharpened Theorem 3.6 is at most the printed one",
    (*ALL, mu, *STEPS),
    _LESS36,
    STEP,
    SERVER,
    MU,
)
