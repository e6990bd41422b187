"""What compressors send: what is received, how many bits that takes, and what passes through unchanged."""

from __future__ import annotations

from math import ceil, log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedproof.solvers import gradient_differences
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.identity import Identity
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.compressors.rand_k import RandK
from fedproof.solvers.compressors.top_k import TopK
from fedproof.solvers.messages import Field, pack, unpack
from tests.solvers.compressing import assert_returns, drawn

FLOATS = st.floats(-1e300, 1e300)
ANY = st.sampled_from(
    [
        Identity(), Natural(), Dithering(1), Dithering(3, "inf"), Dithering(128, "inf"),
        Dithering(255, "3/2"), RandK(1), RandK(3), RandK(2, "sent"), TopK(1), TopK(3),
    ]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(ANY, st.integers(3, 9).flatmap(lambda d: st.lists(st.lists(FLOATS, min_size=d, max_size=d), min_size=1,
       max_size=3)), st.integers(0, 99))  # fmt: skip
def test_what_is_sent_is_received(q: Any, rows: list[list[float]], seed: int) -> None:
    """Decoding what was encoded gives Q(x) to the bit, whatever the floats, subnormal ones too."""
    x = np.array(rows)
    draws = drawn(q, x, seed)
    found = q.decode(q.encode(x, draws), x.shape[1], draws)

    assert found.tobytes() == q.compress(x, draws).tobytes()
    assert_returns(q, x)


def test_bits_of_a_message() -> None:
    """Each count by its formula, and dithering and natural by what is really different."""
    for d in (2, 3, 64, 65, 20958):
        assert Identity().bits(d) == 64 * d
        assert Natural().bits(d) == 13 * d
        assert RandK(2).bits(d) == 128
        assert TopK(2).bits(d) == RandK(2, "sent").bits(d) == 2 * (64 + ceil(log2(d)))
        for s in (1, 2, 3, 64, 127, 128, 255):
            assert Dithering(s).bits(d) == 64 + d * (1 + ceil(log2(s + 1)))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1 << 33)), min_size=1, max_size=4), st.data())
def test_bits_are_those_of_the_numbers_written_one_after_another(
    sizes: list[tuple[int, int]], data: st.DataObject
) -> None:
    """Fields are packed as their numbers in binary digits, and unpacked again."""
    fields = [Field(count, most) for count, most in sizes]
    values = [
        np.array([data.draw(st.lists(st.integers(0, f.most or 0), min_size=f.count, max_size=f.count))])
        for f in fields
    ]
    text = "".join(
        format(int(v), f"0{f.width}b")
        for f, row in zip(fields, values, strict=True)
        for v in row[0]
        if f.width
    )
    text += "0" * (-len(text) % 8)

    packed = pack(fields, [row.astype(np.int64) for row in values])
    assert packed.tobytes() == bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))
    for back, row in zip(unpack(fields, packed), values, strict=True):
        assert back.tolist() == row.tolist()


@pytest.mark.parametrize("q", [Dithering(3, "inf"), Dithering(5), Natural(), RandK(2), TopK(2)], ids=str)
def test_signs_and_powers_of_two_pass_through(q: Any) -> None:
    """Q(-x) = -Q(x) and Q(2^n x) = 2^n Q(x) with the same draws, to the bit and without overflow."""
    x = np.random.default_rng(2).standard_normal((20, 6))
    draws = drawn(q, x)
    found = q.compress(x, draws)

    assert (q.compress(-x, draws) == -found).all()
    for power in (2.0**1000, 2.0**-900):
        assert (q.compress(power * x, draws) == power * found).all()


@pytest.mark.parametrize("q", [Dithering(3, "inf"), Natural(), RandK(2), TopK(2)], ids=str)
@pytest.mark.parametrize("numbers", [1, 12, 1 << 15])
def test_blocks_of_messages_change_no_bit(monkeypatch: pytest.MonkeyPatch, q: Any, numbers: int) -> None:
    """Clients are compressed a few at a time; one whose numbers are not finite passes, the others do not."""
    monkeypatch.setattr(gradient_differences, "_NUMBERS", numbers)
    x = np.random.default_rng(5).standard_normal((7, 2, 3))
    rows = x.reshape(7, 6)
    draws = drawn(q, rows)
    whole = q.compress(rows, draws).reshape(x.shape)

    assert gradient_differences.compressed(q, x, draws).tobytes() == whole.tobytes()
    x[4, 1, 2] = np.nan
    found = gradient_differences.compressed(q, x, draws)
    assert found[4].tobytes() == x[4].tobytes()
    assert np.delete(found, 4, axis=0).tobytes() == np.delete(whole, 4, axis=0).tobytes()
