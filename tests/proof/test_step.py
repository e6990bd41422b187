"""A step as a value: it is hashed once, and travels to another process without its hash."""

import os
import pickle
import subprocess
import sys

import sympy as sp

from fedproof.proof.step import Step

X = sp.Symbol("x", real=True)
USED = Step(X**2 >= 2 * X - 1, id="own.used")
STEP = Step(X**2 >= 2 * X - 2, (USED.at({X: X}),), id="own.user")
OTHER = """
import pickle, sys
from tests.proof.test_step import STEP
sent = pickle.loads(sys.stdin.buffer.read())
print(sent == STEP, hash(sent) == hash(STEP), sent in {STEP})
"""


def test_equal_steps_have_one_hash():
    """Two steps that say the same are one key, and another name makes another step."""
    again = Step(X**2 >= 2 * X - 2, (USED.at({X: X}),), id="own.user")
    assert again == STEP
    assert hash(again) == hash(STEP)
    assert len({again, STEP}) == 1
    assert STEP != Step(X**2 >= 2 * X - 2, (USED.at({X: X}),), id="own.other")


def test_a_step_is_a_key_in_another_process():
    """The hash of a text differs from process to process: what was hashed here is hashed anew there."""
    assert hash(STEP)
    for seed in ("1", "2"):
        found = subprocess.run(
            [sys.executable, "-c", OTHER],
            input=pickle.dumps(STEP),
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        assert found.stdout.split() == [b"True"] * 3, found.stderr
