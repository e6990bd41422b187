"""Parameters of compressors: what is refused in one line, and how an algorithm takes a compressor by name."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction as F
from typing import Any, ClassVar

import numpy as np
import pytest

from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.identity import Identity
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.compressors.rand_k import RandK
from fedproof.solvers.compressors.top_k import TopK
from fedproof.solvers.messages import Field, pack
from fedproof.solvers.parameters import flat_parameters
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused


def test_bad_parameters_are_refused() -> None:
    """No level, too many, no entry, more than there are, a norm below 1 or none: one line each."""
    x, none = np.ones((1, 3)), np.zeros((1, 0))
    refused(InputError, "levels: got 0", Dithering, 0)
    refused(InputError, "levels: got 2.5", Dithering, 2.5)
    refused(InputError, "levels: got 1048577", Dithering, (1 << 20) + 1)
    for wrong in ("1/2", 0.99, -1, "two", float("nan")):
        refused(InputError, "norm: got", Dithering, 3, wrong)
    refused(InputError, "kept: got 0", RandK, 0)
    refused(InputError, "positions", RandK, 1, "lost")
    for q in (RandK(4), TopK(4)):
        refused(InputError, "kept: got 4, expected at most 3", q.compress, x, none)
        refused(InputError, "kept: got 4, expected at most 3", q.omega if q.unbiased else q.distortion, 3)
        refused(InputError, "kept: got 4, expected at most 3", q.bits, 3)


@pytest.mark.parametrize("q", [Identity(), Natural(), Dithering(4), Dithering(4, "inf"), RandK(1)], ids=str)
@pytest.mark.parametrize("dimension", [0, -3, 2.5, "2"])
def test_no_constant_and_no_bits_of_what_is_no_length(q: Any, dimension: Any) -> None:
    """Of vectors of 0, -3 or 2.5 entries there is no omega, exact or not, and no message."""
    refused(InputError, "dimension: got .* expected a whole number >= 1", q.omega, dimension)
    refused(InputError, "dimension: got .* expected a whole number >= 1", q.bits, dimension)
    if q.name == "dithering":
        refused(InputError, "dimension: got", q.distortion, dimension)


def test_entries_that_are_no_real_numbers_are_refused() -> None:
    """Words and complex numbers are one line."""
    for entries in (["one", "two"], [1 + 2j, 0]):
        x = np.array([entries])
        refused(InputError, "x: got entries of type .* expected real numbers", Natural().compress, x, x)


def test_bad_vectors_and_messages_are_refused() -> None:
    """Norms and powers above all floats, roots of fractions, draws out of range, codes that mean nothing."""
    huge, draws = np.full((1, 3), 1.7e308), np.zeros((1, 3), dtype=np.int64)
    refused(InputError, "x: got a norm above all floats", Dithering(3).compress, huge, draws)
    refused(InputError, "2\\^1023", Natural().compress, huge, draws)
    refused(InputError, "x: got fractions", Dithering(3).compress, np.array([[F(1), F(1), F(1)]]), draws)
    refused(InputError, "draws: got a number out of range", RandK(1).compress, huge, np.array([[3]]))
    refused(InputError, "draws: got a number out of range", Natural().compress, huge, draws - 1)
    level = pack([Field(1), Field(3, 1), Field(3, 3)], [huge[:, :1], draws, draws + 3])
    refused(InputError, "message: got the code 3", Dithering(2).decode, level, 3, draws)
    refused(InputError, "x: got 4194304.* outcomes|x: got 8388608", Natural().outcomes, np.full(23, 1.5))


@dataclass(frozen=True)
class Compressed:
    """What an algorithm with a compressor declares."""

    name: ClassVar[str] = "compressed"
    letters: ClassVar[dict[str, str]] = {"mu": "prox_weight"}
    parts: ClassVar[dict[str, str]] = {"compressor": "dithering"}

    prox_weight: Any = 0
    compressor: Any = field(kw_only=True)


def test_an_algorithm_takes_one_by_name() -> None:
    """Its letters lie beside the algorithm's; what is missing or unknown is named."""
    problem = random_quadratic(1)
    made = make_algorithm(Compressed, problem, {"mu": "1", "s": "64", "p": "inf"})
    other = make_algorithm(Compressed, problem, {"compressor": "rand_k", "k": "3", "positions": "sent"})

    assert made.compressor == Dithering(64, "inf")
    assert other.compressor == RandK(3, "sent")
    assert flat_parameters(made) == {"prox_weight": 1, "compressor": "dithering", "levels": 64, "norm": "inf"}
    refused(InputError, "compressed: got no levels", make_algorithm, Compressed, problem, {})
    refused(InputError, "p: got 1/2, expected a number >= 1, or inf; write p=2 or p=inf",
            make_algorithm, Compressed, problem, {"s": 2, "p": "1/2"})  # fmt: skip
    refused(UnknownName, "did you mean rand_k", make_algorithm, Compressed, problem, {"compressor": "randk"})


def test_norms_are_read_from_text() -> None:
    """A norm is the same number however it is written, and infinity has one name."""
    assert Dithering(3, "2") == Dithering(3, 2.0) == Dithering(3)
    assert Dithering(3, float("inf")) == Dithering(3, np.inf) == Dithering(3, "inf")
    assert Dithering(3, "3/2").norm == F(3, 2)
