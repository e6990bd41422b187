"""Constants of extreme ratios: the tuner answers or says why not, and never tries for ever."""

from __future__ import annotations

from time import process_time

from fedproof.tuning.api import tune
from fedproof.vocabulary.errors import InputError
from tests.refusals import refused


def test_rounds_beyond_the_whole_doubles_are_refused_at_once() -> None:
    """9.5e20 rounds plus one are the same double, and one more was tried without end."""
    given = {"L": "7.38e18", "n": 3, "sigma2": "1.49e-05", "B_g": "2.9849244", "Omega1": "3.38"}
    begun = process_time()
    refused(
        InputError, "more than doubles can count", tune, "composite.theorem3.6", **given, eps="0.0406", mu=1
    )

    assert process_time() - begun < 20
