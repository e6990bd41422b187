"""What proofs about functions are written in: `from fedproof.proof.language.prelude import *`."""

from __future__ import annotations

from fedproof.proof.language.assumptions import (
    between,
    bounded_curvature,
    convex,
    convex_chord,
    envelope,
    envelope_value,
    lipschitz,
    lipschitz_gradient,
    minimises,
    prox,
    proximal,
    smooth,
    strongly_convex,
    weakly_convex,
    weakly_convex_chord,
)
from fedproof.proof.language.everywhere import ForEvery, always
from fedproof.proof.language.functions import Field, Function
from fedproof.proof.language.lemmas import (
    jensen,
    limit,
    power,
    recursion,
    scaled,
    square_of_sum,
    squares,
)
from fedproof.proof.language.randomness import Compressor, Source, mixture

__all__ = [
    "Compressor", "Field", "ForEvery", "Function", "Source", "always", "between", "bounded_curvature",
    "convex", "convex_chord", "envelope", "envelope_value", "jensen", "limit", "lipschitz",
    "lipschitz_gradient", "minimises", "mixture", "power", "prox", "proximal", "recursion", "scaled",
    "smooth", "square_of_sum", "squares", "strongly_convex", "weakly_convex", "weakly_convex_chord",
]  # fmt: skip
