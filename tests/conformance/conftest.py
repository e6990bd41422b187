"""A test that asks for a part by its kind runs on every part of that kind."""

from __future__ import annotations

import pytest

from tests.conformance.parts import KINDS, parts, sampled

#: what is dear runs where its marker is asked for; of what is deep, a seeded share runs always
DEAR = {
    "audited_step": ("step", "audit"),
    "audited_statement": ("statement", "audit"),
    "mutated_step": ("step", "deep"),
    "planted_check": ("check", "deep"),
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each part of the kind that an argument names."""
    for name in metafunc.fixturenames:
        kind, marker = DEAR.get(name, (name, ""))
        if kind in KINDS:
            metafunc.parametrize(name, [_parameter(kind, part, marker) for part in parts(kind)])


def _parameter(kind: str, part: object, marker: str) -> object:
    id = part.id  # type: ignore[attr-defined]
    if marker == "deep" and id in sampled(kind):
        marker = "deep_share"
    return pytest.param(part, id=id, marks=getattr(pytest.mark, marker) if marker else ())
