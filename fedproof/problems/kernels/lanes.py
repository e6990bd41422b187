"""Eight numbers at once, for compiled kernels: a type whose values stay in vector registers.

LLVM turns plain loops into vector code, but keeps sums of products in memory between passes: a small matrix
product is three times as fast if its sums stay in registers. `Lanes` says just that. LLVM splits its eight
numbers where a machine's registers are narrower; every lane is rounded as a scalar would be.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

__all__ = ["WIDTH", "load", "plus_product", "store"]

WIDTH = 8
_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_INT = ir.IntType(32)


class Lanes(types.Type):
    """Eight float64."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_LANES = Lanes()


@register_model(Lanes)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _load(context: Any, array: Any, i: Any, j: Any) -> Any:
    """array[i, j : j + 8]; the caller knows that these are there."""

    def code(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(target, builder, signature.args[0], *args)
        return builder.load(place, align=8)

    return _LANES(array, types.intp, types.intp), code


def _store(context: Any, array: Any, i: Any, j: Any, lanes: Any) -> Any:
    """array[i, j : j + 8] = lanes."""

    def code(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(target, builder, signature.args[0], *args[:3])
        builder.store(args[3], place, align=8)
        return target.get_dummy_value()

    return types.none(array, types.intp, types.intp, _LANES), code


def _plus_product(context: Any, total: Any, factor: Any, lanes: Any) -> Any:
    """total + factor * lanes for one number `factor`, rounded once where the machine can."""

    def code(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), args[1], _INT(0))
        mask = ir.Constant(ir.VectorType(_INT, WIDTH), [0] * WIDTH)
        factors = builder.shuffle_vector(one, ir.Constant(_VECTOR, ir.Undefined), mask)
        product = builder.fmul(factors, args[2], flags=("contract",))
        return builder.fadd(args[0], product, flags=("contract",))

    return _LANES(_LANES, types.float64, _LANES), code


def _place(target: Any, builder: Any, kind: Any, array: Any, i: Any, j: Any) -> Any:
    whole = target.make_array(kind)(target, builder, array)
    place = cgutils.get_item_pointer(target, builder, kind, whole, [i, j], wraparound=False)
    return builder.bitcast(place, _VECTOR.as_pointer())


# What kernels call; numba knows their types, Python's type checkers cannot.
load: Any = intrinsic(_load)
store: Any = intrinsic(_store)
plus_product: Any = intrinsic(_plus_product)
