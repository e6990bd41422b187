"""Eight numbers at once, for compiled kernels: a type whose values stay in vector registers.

LLVM turns plain loops into vector code, but keeps sums of products in memory between passes, and checks
before every short loop whether its arrays overlap: a small matrix product takes three times as long as with
`Lanes`, which say what is meant. LLVM splits the eight numbers where a machine's registers are narrower; each
lane is rounded as a single number would be, and a product with a sum may be rounded once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

WIDTH = 8
_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_BITS = ir.VectorType(ir.IntType(64), WIDTH)
_INT, _BYTES = ir.IntType(32), ir.IntType(8).as_pointer()
_NONE = ir.Constant(_VECTOR, ir.Undefined)
_FUSED = ("contract",)


class Lanes(types.Type):
    """Eight float64."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


_LANES = Lanes()


@register_model(Lanes)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _operation(code: Callable[..., Any], *kinds: Any) -> Any:
    """A function from lanes and numbers to lanes, given by the instructions that it becomes."""

    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return code(builder, *args)

    if len(kinds) == 1:
        return intrinsic(lambda context, a: (_LANES(*kinds), generate))
    if len(kinds) == 2:
        return intrinsic(lambda context, a, b: (_LANES(*kinds), generate))
    return intrinsic(lambda context, a, b, c: (_LANES(*kinds), generate))


def _spread(builder: Any, number: Any) -> Any:
    one = builder.insert_element(_NONE, number, _INT(0))
    return _picked(builder, one, one, [0] * WIDTH)


def _picked(builder: Any, a: Any, b: Any, order: list[int]) -> Any:
    """Lanes of a (0 to 7) and b (8 to 15) in this order."""
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_INT, WIDTH), order))


def _interleaved(builder: Any, a: Any, b: Any, size: int) -> tuple[Any, Any]:
    """Blocks of `size` lanes of a and b in turn: the first, third, ... of both, and the others."""
    first = [c if not c & size else c - size + WIDTH for c in range(WIDTH)]
    second = [c + size if not c & size else c + WIDTH for c in range(WIDTH)]
    return _picked(builder, a, b, first), _picked(builder, a, b, second)


def _plus_product(builder: Any, total: Any, factor: Any, lanes: Any) -> Any:
    return _plus_products(builder, total, _spread(builder, factor), lanes)


def _plus_products(builder: Any, total: Any, a: Any, b: Any) -> Any:
    return builder.fadd(total, builder.fmul(a, b, flags=_FUSED), flags=_FUSED)


def _times_plus(builder: Any, a: Any, b: Any, number: Any) -> Any:
    return _plus_products(builder, _spread(builder, number), a, b)


def _larger(builder: Any, a: Any, b: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", a, b), a, b)


def _at_least(builder: Any, lanes: Any, number: Any) -> Any:
    low = _spread(builder, number)
    return builder.select(builder.fcmp_ordered("<", lanes, low), low, lanes)


def _zero_where_less(builder: Any, lanes: Any, number: Any, result: Any) -> Any:
    less = builder.fcmp_ordered("<", lanes, _spread(builder, number))
    return builder.select(less, ir.Constant(_VECTOR, [0.0] * WIDTH), result)


def _power_of_two(builder: Any, shifted: Any) -> Any:
    number = builder.add(builder.bitcast(shifted, _BITS), ir.Constant(_BITS, [1023] * WIDTH))
    return builder.bitcast(builder.shl(number, ir.Constant(_BITS, [52] * WIDTH)), _VECTOR)


# numba knows the types of these, Python's type checkers cannot.
_NUMBER = types.float64
add: Any = _operation(lambda builder, a, b: builder.fadd(a, b, flags=_FUSED), _LANES, _LANES)
subtract: Any = _operation(lambda builder, a, b: builder.fsub(a, b, flags=_FUSED), _LANES, _LANES)
multiply: Any = _operation(lambda builder, a, b: builder.fmul(a, b, flags=_FUSED), _LANES, _LANES)
divide: Any = _operation(lambda builder, a, b: builder.fdiv(a, b), _LANES, _LANES)
spread: Any = _operation(_spread, _NUMBER)
"""Eight times the same number."""
larger: Any = _operation(_larger, _LANES, _LANES)
"""The larger of two; which, if one is NaN, is not said."""
at_least: Any = _operation(_at_least, _LANES, _NUMBER)
"""The number where lanes are less; NaN stays."""
zero_where_less: Any = _operation(_zero_where_less, _LANES, _NUMBER, _LANES)
"""(lanes, number, result): result, but 0 where lanes < number."""
plus_product: Any = _operation(_plus_product, _LANES, _NUMBER, _LANES)
"""(total, factor, lanes): total + factor * lanes, for one number `factor`."""
plus_products: Any = _operation(_plus_products, _LANES, _LANES, _LANES)
"""(total, a, b): total + a * b, lane by lane."""
times_plus: Any = _operation(_times_plus, _LANES, _LANES, _NUMBER)
"""(a, b, number): a * b + number."""
power_of_two: Any = _operation(_power_of_two, _LANES)
"""2^k, -1022 <= k <= 1023, for the whole number k in the last bits of lanes."""


def _load(context: Any, array: Any, i: Any, j: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(target, builder, signature.args[0], *args), align=8)

    return _LANES(array, types.intp, types.intp), generate


def _load_first(context: Any, array: Any, i: Any, j: Any, count: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _place(target, builder, signature.args[0], *args[:3])
        one = builder.insert_element(ir.Constant(_BITS, ir.Undefined), args[3], _INT(0))
        counts = _picked(builder, one, one, [0] * WIDTH)
        mask = builder.icmp_signed("<", ir.Constant(_BITS, list(range(WIDTH))), counts)
        kind = ir.FunctionType(_VECTOR, [place.type, _INT, mask.type, _VECTOR])
        name = f"llvm.masked.load.v{WIDTH}f64.p0"
        load = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.call(load, [place, _INT(8), mask, ir.Constant(_VECTOR, [0.0] * WIDTH)])

    return _LANES(array, types.intp, types.intp, types.intp), generate


def _store(context: Any, array: Any, i: Any, j: Any, lanes: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store(args[3], _place(target, builder, signature.args[0], *args[:3]), align=8)
        return target.get_dummy_value()

    return types.none(array, types.intp, types.intp, _LANES), generate


def _transpose(context: Any, array: Any, i: Any, j: Any, turned: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        whole, row, column, out = args
        index = target.get_constant(types.intp, 0).type
        below = [builder.add(row, index(k)) for k in range(WIDTH)]
        places = [_place(target, builder, signature.args[0], whole, i, column) for i in below]
        rows = [builder.load(place, align=8) for place in places]
        # three rounds: blocks of 1, 2 and 4 lanes change places with those of the row as far below
        for size in (1, 2, 4):
            for k in (k for k in range(WIDTH) if not k & size):
                rows[k], rows[k + size] = _interleaved(builder, rows[k], rows[k + size], size)
        for k, lanes in enumerate(rows):
            place = _place(target, builder, signature.args[3], out, builder.add(column, index(k)), row)
            builder.store(lanes, place, align=8)
        return target.get_dummy_value()

    return types.none(array, types.intp, types.intp, turned), generate


def _fetch(context: Any, array: Any, i: Any, j: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.bitcast(_place(target, builder, signature.args[0], *args), _BYTES)
        kind = ir.FunctionType(ir.VoidType(), [_BYTES, _INT, _INT, _INT])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(fetch, [place, _INT(0), _INT(2), _INT(1)])
        return target.get_dummy_value()

    return types.none(array, types.intp, types.intp), generate


def _place(target: Any, builder: Any, kind: Any, array: Any, i: Any, j: Any) -> Any:
    whole = target.make_array(kind)(target, builder, array)
    place = cgutils.get_item_pointer(target, builder, kind, whole, [i, j], wraparound=False)
    return builder.bitcast(place, _VECTOR.as_pointer())


def _sums_of(context: Any, *rows: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, args: Any) -> Any:
        parts = list(args)
        # three rounds: neighbours become one, which has the sums of pairs of both
        for size in (1, 2, 4):
            pairs = zip(parts[::2], parts[1::2], strict=True)
            halves = [_interleaved(builder, a, b, size) for a, b in pairs]
            parts = [builder.fadd(a, b, flags=_FUSED) for a, b in halves]
        return parts[0]

    return _LANES(*[_LANES] * WIDTH), generate


# The caller knows that these places are in the arrays.
fetch: Any = intrinsic(_fetch)
"""Ask for the memory of array[i, j : j + 8], to be near soon; nothing waits for it."""
load: Any = intrinsic(_load)
"""array[i, j : j + 8]."""
load_first: Any = intrinsic(_load_first)
"""(array, i, j, count): array[i, j : j + count], then zeros; what lies behind is not read."""
store: Any = intrinsic(_store)
"""array[i, j : j + 8] = lanes."""
sums_of: Any = intrinsic(lambda context, a, b, c, d, e, f, g, h: _sums_of(context, a, b, c, d, e, f, g, h))
"""Of eight lanes, the sum of each: eight numbers."""
transpose: Any = intrinsic(_transpose)
"""(array, i, j, turned): turned[j : j + 8, i : i + 8] = array[i : i + 8, j : j + 8], turned over."""
