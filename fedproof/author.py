"""What a paper in one file is written in, to be imported whole: `from fedproof.author import *`.

>>> from fedproof.author import Bound, Notation
>>> Notation().symbol("eta", "stepsize").name
'eta'
"""

from __future__ import annotations

from fedproof.bounds.claims import Bound, Identity
from fedproof.bounds.letter import Notation
from fedproof.bounds.statement import Assumption, Condition, Def, Statement
from fedproof.proof import prelude
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.language.functions import Field, Function
from fedproof.proof.language.lemmas import jensen, power, recursion, square_of_sum
from fedproof.proof.prelude import *  # noqa: F403
from fedproof.vocabulary.source import Source

__all__ = [
    *prelude.__all__, "Assumption", "Bound", "Condition", "Def", "Field", "ForEvery", "Function", "Identity",
    "Notation", "Source", "Statement", "jensen", "power", "recursion", "square_of_sum",
]  # fmt: skip
