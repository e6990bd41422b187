"""What every statement is written in, to be imported whole: `from fedproof.bounds.prelude import *`.

>>> from fedproof.bounds.prelude import Bound, Integer
>>> Bound("loss", Integer(1)).kind
'bound'
"""

from __future__ import annotations

import sympy as sp
from sympy import Eq, Integer, Rational, sqrt

from fedproof.algebra.expressions import printed
from fedproof.bounds.claims import (
    Bound,
    Claim,
    Composition,
    Exists,
    Family,
    Hidden,
    Identity,
    Implies,
    LogConvex,
    Minimum,
    Monotone,
    Observed,
    Order,
    Reported,
)  # fmt: skip
from fedproof.bounds.statement import Chosen, Condition, Def, Statement
from fedproof.vocabulary.source import Source

__all__ = [
    "Bound", "Chosen", "Claim", "Composition", "Condition", "Def", "Eq", "Exists", "Family", "Hidden",
    "Identity", "Implies", "Integer", "LogConvex", "Minimum", "Monotone", "Observed", "Order",
    "Rational", "Reported", "Source", "Statement", "printed", "sp", "sqrt",
]  # fmt: skip
