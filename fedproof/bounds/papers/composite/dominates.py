"""The amending bounds are never above the printed ones where both apply."""

from __future__ import annotations

from fedproof.bounds.claims import Implies
from fedproof.bounds.expressions import printed
from fedproof.bounds.papers.composite import formulas as f
from fedproof.bounds.papers.composite.sharpened import FREE, MU
from fedproof.bounds.papers.composite.statements import ETA_T, KEY, LOCAL_STEPS, SERVER, STEP, STEPS
from fedproof.bounds.papers.composite.symbols import B_g, Omega1, R, letters, mu
from fedproof.bounds.statement import Statement
from fedproof.vocabulary.source import Source

with printed():
    _LESS35 = f.SHARP35 <= f.THEOREM35
    _LESS36 = f.SHARP36_VARIANCE <= f.THEOREM36_VARIANCE + f.THEOREM36_SUBGRADIENTS
    _FASTER = f.SHARP_FACTOR <= f.FACTOR

DOMINATES35 = Statement(
    f"{KEY}.theorem3.5.sharpened.dominates",
    "The sharpened bound of Theorem 3.5 is at most the printed one",
    Source(KEY, "Theorem 3.5; not in the paper"),
    letters(*FREE, B_g, *STEPS, Omega1, R),
    Implies((), _LESS35),
    (ETA_T,),
    (LOCAL_STEPS, STEP, SERVER),
    uses=(f"{KEY}.theorem3.5", f"{KEY}.theorem3.5.sharpened"),
)
DOMINATES36 = Statement(
    f"{KEY}.theorem3.6.sharpened.dominates",
    "The sharpened residual of Theorem 3.6 is at most the printed one",
    Source(KEY, "Theorem 3.6; not in the paper"),
    letters(*FREE, B_g, mu, *STEPS),
    Implies((), _LESS36),
    (ETA_T,),
    (LOCAL_STEPS, STEP, SERVER, MU),
    uses=(f"{KEY}.theorem3.6", f"{KEY}.theorem3.6.sharpened"),
)
FASTER36 = Statement(
    f"{KEY}.theorem3.6.sharpened.faster",
    "A round of the sharpened Theorem 3.6 leaves at most what one of the printed Theorem 3.6 leaves",
    Source(KEY, "Theorem 3.6; not in the paper"),
    letters(*FREE[:1], FREE[2], mu, *STEPS),
    Implies((), _FASTER),
    (ETA_T,),
    (LOCAL_STEPS, STEP, MU),
    uses=(f"{KEY}.theorem3.6", f"{KEY}.theorem3.6.sharpened"),
)
