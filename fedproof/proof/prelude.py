"""What every proof is written in, to be imported whole: `from fedproof.proof.prelude import *`.

>>> from fedproof.proof.prelude import Step, n2, vectors
>>> x, y = vectors("x y")
>>> Step(n2(x + y) <= 2 * n2(x) + 2 * n2(y), rule="quad").id
'step'
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import sqrt

from fedproof.algebra.expressions import printed
from fedproof.proof.forall import ForAll
from fedproof.proof.notation import (
    Eq,
    added,
    number,
    numbers,
    rational,
    sequences,
    step_writer,
    used,
    values,
    vector,
)
from fedproof.proof.sequences import sequence, total
from fedproof.proof.step import Applied, Given, Induction, Let, Step, assume, times
from fedproof.proof.vectors import Vector, ip, n2, norm, vectors

__all__ = [
    "Any", "Applied", "Eq", "ForAll", "Given", "Induction", "Let", "Step", "Vector", "added", "assume",
    "ip", "n2", "norm", "number", "numbers", "printed", "rational", "sequence", "sequences", "sp",
    "sqrt",     "step_writer", "times", "total", "used", "values", "vector", "vectors",
]  # fmt: skip
