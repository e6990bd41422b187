"""The draws of all clients in one call, compiled: bit for bit those of NumPy's Philox generators."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.problems.problem import Array
from fedproof.problems.supervised.kernels.cached import compiled, inlined

HIGHEST = 1 << 32
"""NumPy draws whole numbers below it from halves of a word, and larger ones in another way."""

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_M0, _M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
_W0, _W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)


@compiled
def uniform_draws(key0: Any, key1: Any, clients: Array, turn: Any, high: Array, count: int) -> Array:
    """Whole numbers 0..high[n]-1 of each client's stream, shape (k, count); Philox4x64-10, Lemire (2019).

    Arguments:
        key0, key1: the generator's key, uint64.
        clients: the third word of each counter, uint64, shape (k,).
        turn: the fourth.
        high: from 1 to 2^32 - 1, uint64, shape (k,).
    """
    out, words = np.empty((len(clients), count), dtype=np.int64), np.empty(4, dtype=np.uint64)
    for n in range(len(clients)):
        wide, block, at = high[n], np.uint64(0), 8
        floor = (_LOW - (wide - np.uint64(1))) % wide
        for i in range(count):
            if wide == 1:
                out[n, i] = 0
                continue
            while True:
                if at == 8:
                    block, at = block + np.uint64(1), 0
                    _philox(block, clients[n], turn, key0, key1, words)
                word = words[at // 2]
                half = (word >> _HALF) if at % 2 else (word & _LOW)
                at += 1
                product = half * wide
                if (product & _LOW) >= floor:
                    break
            out[n, i] = product >> _HALF
    return out


@inlined
def _philox(c0: Any, c2: Any, c3: Any, key0: Any, key1: Any, words: Array) -> None:
    """words = the four that belong to the counter (c0, 0, c2, c3)."""
    c1: Any = np.uint64(0)
    for _ in range(10):
        high0, low0 = _high(_M0, c0), _M0 * c0
        high1, low1 = _high(_M1, c2), _M1 * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ key0, low1, high0 ^ c3 ^ key1, low0
        key0, key1 = key0 + _W0, key1 + _W1
    words[0], words[1], words[2], words[3] = c0, c1, c2, c3


@inlined
def _high(a: Any, b: Any) -> Any:
    """The upper word of the product of two words."""
    a0, a1, b0, b1 = a & _LOW, a >> _HALF, b & _LOW, b >> _HALF
    middle = a1 * b0 + ((a0 * b0) >> _HALF)
    other = a0 * b1 + (middle & _LOW)
    return a1 * b1 + (middle >> _HALF) + (other >> _HALF)
