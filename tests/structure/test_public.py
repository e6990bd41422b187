"""What `import fedproof as fp` offers, and what `help` says of it."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import fedproof as fp

#: values and errors that are named where they are made or caught; the rest are verbs
VALUES = {"Composite", "FedproofError", "InputError", "LogWriter", "Participation", "Step"}
#: whose work takes minutes, or begins with an audit
WITHOUT = {"report", "write_ledger"}
NAMES = sorted(set(fp.__all__) - WITHOUT)


def verb(name: str) -> Any:
    """The function or class behind a public name, also where a package has the same name."""
    found = getattr(fp, name)
    return getattr(import_module(f"{found.__name__}.api"), name) if isinstance(found, ModuleType) else found


def test_completion_shows_the_verbs_and_nothing_else() -> None:
    """`fp.<tab>` offers every public name and the version, also after rooms of verbs' names are loaded."""
    before = set(dir(fp))
    import fedproof.measure.api
    import fedproof.validate.api

    assert before == set(dir(fedproof)) == {*fp.__all__, "__version__"}
    assert {name for name in fp.__all__ if name[0].isupper()} == VALUES
    assert all(callable(getattr(fp, name)) for name in fp.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_help_has_an_example(name: str) -> None:
    """What `help` prints of each public name says what it is in one sentence and has an example to run."""
    said = inspect.getdoc(verb(name)) or ""
    examples = doctest.DocTestParser().get_examples(said)

    assert said.partition("\n")[0].endswith((".", "?"))
    assert any(example.want for example in examples)


def test_help_of_a_room_that_is_a_verb_shows_how_to_call_it() -> None:
    """`fp.measure` and `fp.validate` are packages too: their own help has a call of the verb."""
    shown = [getattr(fp, name).__doc__ for name in ("measure", "validate")]

    assert [f">>> fp.{name}(" in doc for name, doc in zip(("measure", "validate"), shown, strict=True)] == [
        True,
        True,
    ]


def test_a_name_without_an_example_is_seen() -> None:
    """Prose with a prompt but no answer is no example."""
    said = "Do it.\n\n>>> x = 1\n"

    assert not any(example.want for example in doctest.DocTestParser().get_examples(said))
