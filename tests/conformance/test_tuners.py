"""What every tuner keeps: it is of a statement, and says in one line what it lacks or does not know."""

from __future__ import annotations

import pytest

from fedproof.bounds import catalog
from fedproof.tuning.api import tune
from fedproof.vocabulary.errors import InputError, MissingName, UnknownName
from tests.conformance.parts import Part


def test_it_is_of_a_statement(tuner: Part) -> None:
    """What can be asked for is a paper's key, for its own problem, or one of its statements."""
    tuner.load()
    key = tuner.id.partition(".")[0]

    assert tuner.id in (key, *catalog.statement_ids(key))


def test_what_it_lacks_and_does_not_know_is_said_in_one_line(tuner: Part) -> None:
    """Nothing given, an unknown name, and a value outside its domain."""
    tuner.load()
    with pytest.raises(MissingName) as missing:
        tune(tuner.id)
    with pytest.raises(UnknownName) as unknown:
        tune(tuner.id, no_such_letter=1)
    with pytest.raises(InputError) as outside:
        tune(tuner.id, L=-1)
    assert all("\n" not in str(error.value) for error in (missing, unknown, outside))
