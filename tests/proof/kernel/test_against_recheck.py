"""The kernel and the standalone script, written apart from each other, judge the same certificates alike."""

from __future__ import annotations

import pytest

from fedproof.proof.kernel.judgement import Judgement, checked
from fedproof.proof.kernel.trees import Rejected
from tests.validate.test_recheck_proofs import BAD, GOOD


def judged(name: str) -> Judgement:
    """The kernel's judgement on one of the script's examples, after those that it uses."""
    document = {"id": name, **(BAD.get(name) or GOOD[name])}
    return checked(document, {id: judged(id) for id in document["uses"] if id in GOOD})


@pytest.mark.parametrize("name", GOOD)
def test_what_the_script_confirms_the_kernel_accepts(name: str) -> None:
    """Each rule used as it is meant."""
    assert judged(name).id == name


@pytest.mark.parametrize("name", BAD)
def test_what_the_script_rejects_the_kernel_rejects(name: str) -> None:
    """Falsehoods that obey the letter of a rule, and certificates that are none."""
    with pytest.raises(Rejected):
        judged(name)
