"""Facts that every compressor obeys, over all that the package discovers."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import MISSING, FrozenInstanceError, fields, is_dataclass, replace
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np
import pytest

from fedproof.solvers.catalog import part_class, part_names
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.parameters import flat_parameters, own_options
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused
from tests.solvers.compressing import assert_fair, assert_returns, drawn

NAMES = part_names("compressor")
SMALL = {"levels": 3, "kept": 2}
#: other values of what a class leaves open
MORE: dict[str, list[dict[str, Any]]] = {"dithering": [{"norm": "inf"}, {"norm": 1}, {"norm": "3/2"}]}
F = Fraction
EXACT = np.array(
    [[F(1), F(2), F(-3)], [F(1, 3), F(0), F(-5, 7)], [F(0)] * 3, [F(2)] * 3, [F(-7), F(1, 9), F(1, 9)]]
)
ROWS = EXACT.astype(float)


def instances(name: str) -> list[Any]:
    """A compressor with small numbers, in all its choices."""
    known = part_class("compressor", name)
    base = known(**{f.name: SMALL.get(f.name, 2) for f in fields(known) if f.default is MISSING})
    choices: dict[str, tuple[str, ...]] = getattr(known, "choices", {})
    other = [replace(base, **{field: c}) for field, all_ in choices.items() for c in all_]
    return [base, *other, *(replace(base, **more) for more in MORE.get(name, []))]


ALL = [q for name in NAMES for q in instances(name)]
each = pytest.mark.parametrize("q", ALL, ids=str)


def test_every_file_is_covered() -> None:
    """The suite ran over every file of compressors, and every choice that they declare."""
    files = {p.name.removesuffix(".py") for p in resources.files("fedproof.solvers.compressors").iterdir()}

    assert {name for name in files if not name.startswith("_")} <= set(NAMES)
    assert {q.name for q in ALL} == set(NAMES)
    assert len(NAMES) >= 5
    assert len(ALL) >= 1 + (1 + 2) + (1 + 3) + 1 + 1


@each
def test_shape(q: Any) -> None:
    """A frozen dataclass named as its file, with a docstring and constants that say how they are known."""
    assert isinstance(q, Compressor)
    assert is_dataclass(q)
    with pytest.raises(FrozenInstanceError):
        q.name_of_a_field = 1
    for constant in (q.distortion(3), q.omega(3)):
        assert constant.kind in ("exact", "certified")
        assert constant.how
    assert (q.omega(3).value is None) == (not q.unbiased)
    assert q.distortion(3).value >= 0


@each
def test_mean_and_distortion(q: Any) -> None:
    """Over all outcomes the mean is x, if it is unbiased, and its constant bounds the distortion."""
    for x in EXACT if q.exact else ROWS:
        assert_fair(q, x)


@each
def test_floats_are_fractions_rounded(q: Any) -> None:
    """Of vectors of floats it gives what it gives of the same fractions, up to rounding."""
    if not q.exact:
        return
    draws = drawn(q, ROWS)
    assert np.allclose(q.compress(ROWS, draws), q.compress(EXACT, draws).astype(float), rtol=1e-14, atol=0)


@each
def test_draws_have_the_probabilities_of_the_outcomes(q: Any) -> None:
    """Of 20000 clients with one vector, each message comes as often as its probability says."""
    many, x = 20000, ROWS[1]
    weights, outcomes = q.outcomes(x)
    chances: Counter[tuple[float, ...]] = Counter()
    for weight, row in zip(weights, q.compress(np.tile(x, (len(outcomes), 1)), outcomes), strict=True):
        chances[tuple(row + 0.0)] += weight
    clients = np.tile(x, (many, 1))
    seen = Counter(tuple(row + 0.0) for row in q.compress(clients, drawn(q, clients)))

    assert set(seen) <= set(chances)
    for message, chance in chances.items():
        p = float(chance)
        assert abs(seen[message] / many - p) <= 5 * (p * (1 - p) / many) ** 0.5


@each
def test_messages(q: Any) -> None:
    """A message has the bits that are said, and what is decoded is Q(x) to the bit."""
    assert_returns(q, ROWS)
    assert q.bits(3) == sum(field.bits for field in q.fields(3))
    refused(InputError, "fractions", q.encode, EXACT, drawn(q, ROWS))
    cut = q.encode(ROWS, drawn(q, ROWS))[:, :-1]
    refused(InputError, "message", q.decode, cut, 3, drawn(q, ROWS))


@each
def test_nothing_is_changed_and_rows_stand_alone(q: Any) -> None:
    """The same bits twice; inputs stay; a client's message depends on its own row and draws alone."""
    x, draws = ROWS.copy(), drawn(q, ROWS)
    x.flags.writeable = draws.flags.writeable = False
    found, order = q.compress(x, draws), np.array([3, 0, 4])
    found[:] += 1  # it is an array of its own

    assert (q.compress(x, draws) + 1 == found).all()
    assert (q.compress(x[order], draws[order]) + 1 == found[order]).all()
    assert (x == ROWS).all()


@each
def test_draws_are_the_clients_own(q: Any) -> None:
    """A client draws the same in any company; another purpose or round draws other numbers."""
    ids, source = np.array([4, 0, 2]), RandomSource(3, 1)
    whole = q.draw(64, np.arange(5), source)

    assert (q.draw(64, ids, source) == whole[ids]).all()
    if whole.size:
        assert (q.draw(64, np.arange(5), source, "other") != whole).any()
        assert (q.draw(64, np.arange(5), RandomSource(3, 2)) != whole).any()


@each
def test_what_is_no_vector_is_refused(q: Any) -> None:
    """NaN, infinity, one vector without its row, and draws of another shape: one line each."""
    draws = drawn(q, ROWS)
    for wrong in (np.nan, np.inf):
        x = ROWS.copy()
        x[2, 1] = wrong
        refused(InputError, f"x: got {wrong} at entry 1 of row 2, expected finite", q.compress, x, draws)
    refused(InputError, "x: got shape", q.compress, ROWS[0], draws)
    refused(InputError, "draws: got shape", q.compress, ROWS, draws[:-1])


@each
def test_flat_parameters_make_the_same_compressor(q: Any) -> None:
    """What a history says of the parameters, read as text, makes an equal compressor."""
    options = {option.name: option for option in own_options(type(q), {}, q.name)}
    flat = json.loads(json.dumps(flat_parameters(q)))

    assert type(q)(**{name: options[name].read(str(value)) for name, value in flat.items()}) == q
