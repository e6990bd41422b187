"""omega of the compressor that a record names, computed, so that no header beside it can say another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from fedproof.solvers.catalog import part_class, part_names
from fedproof.solvers.compressor import Compressor
from fedproof.validate.logs.run_log import Known

_COMPRESSOR = "gradient_compressor"
_LENGTHS = (2, 1000, 10**6)
"""Lengths of a model at which omega is the same where it does not depend on the length."""


def omega_of(
    choices: Mapping[str, Any], numbers: Mapping[str, Known], dimension: int | None
) -> dict[str, Known]:
    """omega of the compressor of the clients' gradients, where one is named that is unbiased.

    Arguments:
        choices, numbers: of the record's parameters.
        dimension: the length of a model; None where the record does not show it.

    >>> omega_of({"gradient_compressor": "natural"}, {}, None)["compression_variance"].value
    Fraction(1, 8)
    """
    name = choices.get(_COMPRESSOR)
    if not isinstance(name, str) or name not in part_names(_COMPRESSOR):
        return {}
    known: Any = part_class(_COMPRESSOR, name)
    said = {n: k.value for n, k in numbers.items()} | dict(choices)
    names = {f.name: [n for n in (f"{_COMPRESSOR}.{f.name}", f.name) if n in said] for f in fields(known)}
    values = {name: said[there[0]] for name, there in names.items() if there}
    made: Compressor = known(**{n: int(v) if isinstance(v, Fraction) else v for n, v in values.items()})
    lengths = _LENGTHS if dimension is None else (dimension,)
    omegas = {made.omega(d).value for d in lengths} if made.unbiased else {None}
    (omega, *others) = omegas
    return {} if others or omega is None else {"compression_variance": Known(Fraction(omega), "")}
