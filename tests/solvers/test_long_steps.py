"""Steps beyond 2/L are said before a run begins."""

from __future__ import annotations

import logging

import pytest

import fedproof as fp


def told(caplog: pytest.LogCaptureFixture, algorithm: str, **given: object) -> list[str]:
    """What is logged as a run of no rounds begins."""
    caplog.clear()
    with caplog.at_level(logging.WARNING, "fedproof"):
        fp.run(algorithm, "quadratic", clients=2, rounds=0, **given)  # type: ignore[arg-type]
    return [record.getMessage() for record in caplog.records]


def test_a_step_beyond_two_over_l_is_said(caplog: pytest.LogCaptureFixture) -> None:
    """L is 57/61: 122/57 is the last step of which nothing is said, and so for the step of a local solver."""
    assert told(caplog, "fedavg", stepsize="2.14") == []
    (said,) = told(caplog, "fedavg", stepsize="2.15")
    assert said.startswith("stepsize 2.15 is beyond 2/L = 2.14 (L = 0.9344)")
    assert told(caplog, "fedprox", local_solver="gradient_descent", stepsize=3, local_steps=1, mu=1)


def test_steps_of_an_inverse_hessian_have_no_such_limit(caplog: pytest.LogCaptureFixture) -> None:
    """alpha of FLECS multiplies a direction that the Hessian has scaled."""
    assert told(caplog, "flecs", stepsize=3) == []
