"""What every proof is written in, to be imported whole: `from fedproof.proof.prelude import *`.

>>> from fedproof.proof.prelude import Step, n2, vectors
>>> x, y = vectors("x y")
>>> Step(n2(x + y) <= 2 * n2(x) + 2 * n2(y), rule="quad").id
'step'
"""

from __future__ import annotations

from functools import partial

from fedproof.algebra.expressions import printed
from fedproof.proof.forall import ForAll
from fedproof.proof.notation import Eq, number, rational
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Applied, Given, Induction, Let, Step, assume, times
from fedproof.proof.vectors import Vector, ip, n2, norm, vectors

__all__ = [
    "Applied", "Eq", "ForAll", "Given", "Induction", "Let", "Step", "Vector", "assume", "ip", "n2", "norm",
    "number", "partial", "printed", "rational", "sequence", "times", "total", "vectors",
]  # fmt: skip
