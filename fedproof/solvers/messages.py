"""What a message is made of, and its bits: fields of fixed width, one after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fedproof.problems.problem import Array
from fedproof.vocabulary.errors import InputError


@dataclass(frozen=True, slots=True)
class Field:
    """Entries of one width in a message.

    Arguments:
        count: how many.
        most: they are whole numbers 0..most, of ceil(log2(most + 1)) bits each; None for float64.

    >>> Field(3, 4).bits, Field(1).bits
    (9, 64)
    """

    count: int
    most: int | None = None

    @property
    def width(self) -> int:
        """Bits of one entry."""
        return 64 if self.most is None else self.most.bit_length()

    @property
    def bits(self) -> int:
        """Bits of all entries."""
        return self.count * self.width

    @property
    def dtype(self) -> str:
        """The narrowest number that holds an entry, most significant byte first."""
        size = next(size for size in (1, 2, 4, 8) if 8 * size >= self.width)
        return ">f8" if self.most is None else f">u{size}"


def message_bytes(fields: Sequence[Field]) -> int:
    """Bytes of a message: its bits, filled up with zeros to the next byte.

    >>> message_bytes([Field(3, 4)])
    2
    """
    return -(-sum(field.bits for field in fields) // 8)


def pack(fields: Sequence[Field], values: Sequence[Array]) -> Array:
    """The messages of k clients, bit by bit.

    Arguments:
        values: one array for each field, shape (k, count).

    Returns: bytes, shape (k, message_bytes(fields)).

    >>> pack([Field(3, 4)], [np.array([[1, 2, 3]])]).tolist()
    [[41, 128]]
    """
    return np.packbits(np.concatenate([*map(_to_bits, fields, values)], axis=1), axis=1)


def unpack(fields: Sequence[Field], messages: Array) -> tuple[Array, ...]:
    """The values of each field, shape (k, count), in whole numbers or float64.

    Raises: InputError for bytes that are no such messages.

    >>> unpack([Field(3, 4)], np.array([[41, 128]], dtype=np.uint8))[0].tolist()
    [[1, 2, 3]]
    """
    expected = message_bytes(fields)
    if messages.dtype != np.uint8 or messages.ndim != 2 or messages.shape[1] != expected:
        got = f"{messages.dtype} of shape {messages.shape}"
        raise InputError("message", got, f"{expected} bytes (uint8) of each client", "pass what encode gives")
    bits, values, start = np.unpackbits(messages, axis=1), [], 0
    for field in fields:
        values.append(_from_bits(field, bits[:, start : start + field.bits]))
        start += field.bits
    return tuple(values)


def _to_bits(field: Field, values: Array) -> Array:
    words = np.ascontiguousarray(values.astype(field.dtype))
    octets = words.view(np.uint8).reshape(*words.shape, words.itemsize)
    bits: Array = np.unpackbits(octets, axis=2)[:, :, 8 * words.itemsize - field.width :]
    return bits.reshape(len(words), field.bits)


def _from_bits(field: Field, bits: Array) -> Array:
    size = np.dtype(field.dtype).itemsize
    padded = np.zeros((len(bits), field.count, 8 * size), dtype=np.uint8)
    padded[:, :, 8 * size - field.width :] = bits.reshape(len(bits), field.count, field.width)
    words: Array = np.packbits(padded, axis=2).view(field.dtype)[:, :, 0]
    if field.most is None:
        return words.astype(np.float64)
    if words.size and int(words.max()) > field.most:
        raise InputError("message", f"the code {int(words.max())}", f"codes up to {field.most}")
    return words.astype(np.int64)
