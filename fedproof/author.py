"""What a paper in one file is written in, to be imported whole: `from fedproof.author import *`.

A source in the text is `Source`; a source of randomness, which proofs call so too, is `RandomSource`.

>>> from fedproof.author import Bound, Notation
>>> Notation().symbol("eta", "stepsize").name
'eta'
"""

from __future__ import annotations

from fractions import Fraction

from fedproof.bounds import prelude as statements
from fedproof.bounds.letter import Notation
from fedproof.bounds.prelude import *  # noqa: F403
from fedproof.bounds.statement import Assumption
from fedproof.bounds.statement_handle import statement
from fedproof.proof import prelude
from fedproof.proof.language import prelude as language
from fedproof.proof.language.prelude import *  # type: ignore[assignment]  # noqa: F403
from fedproof.proof.language.prelude import Source as RandomSource
from fedproof.proof.prelude import *  # noqa: F403
from fedproof.validate.empirical.comparison import Place, compare, nearest, sampled_place
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, REAL, UNIT, Interval
from fedproof.vocabulary.metrics import Metric
from fedproof.vocabulary.quantities import Quantity
from fedproof.vocabulary.source import Source

__all__ = [
    *dict.fromkeys([*prelude.__all__, *language.__all__, *statements.__all__]),
    "Assumption", "BoundComparison", "EmpiricalCheck", "Fraction", "Interval", "Metric", "NONNEGATIVE",
    "Notation", "POSITIVE", "Place", "Quantity", "REAL", "RandomSource", "SamplingBudget", "Source", "UNIT",
    "compare", "nearest", "sampled_place", "statement",
]  # fmt: skip
