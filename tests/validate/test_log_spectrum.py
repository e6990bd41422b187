"""mu1 and mu2 of FLECS follow from the truncation that a log states, and are held against stated ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import fedproof as fp
from fedproof.vocabulary.errors import InputError
from tests.validate.logs_for_tests import LOSSES, SQUARES, csv_of, toml

ID = "flecs.theorem5.repaired"
STEPS = {"alpha": "1/1000", "gamma": "1/2", "c": 4}
CONSTANTS = {"L": 1, "n": 5, "omega": "1/8", "sigma2": 1, "zeta2": 1, "kappa0": 1, "least_loss": 0}
TRUNCATED = {"trunc_lo": "1/2", "trunc_hi": 2}


def bound(tmp_path: Path, parameters: dict[str, Any], **constants: Any) -> tuple[float | None, str]:
    """The bound of a log, and what it rests on or lacks."""
    said = toml("flecs_cgd", parameters=STEPS | parameters, constants=CONSTANTS | constants)
    path = tmp_path / "run.csv"
    path.write_text(csv_of({"loss": LOSSES, "squared_gradient": SQUARES}, said))
    (row,) = fp.validate(ID, history=path).results
    return row.bound, "; ".join((row.detail, *row.rests_on))


@pytest.mark.parametrize(
    ("parameters", "mu1", "mu2"),
    [
        (TRUNCATED, "1/2", 2),
        (TRUNCATED | {"direction": "truncated_inverse"}, "1/2", 2),
        (TRUNCATED | {"rho": "1/4"}, "1/4", 2),
        (TRUNCATED | {"complement_stepsize": 3, "direction": "fedsonia"}, "1/2", 3),
        (TRUNCATED | {"rho": "1/4", "direction": "truncated_inverse"}, "1/2", 2),
    ],
)
def test_the_spectrum_is_that_of_the_truncation(
    parameters: dict[str, Any], mu1: Any, mu2: Any, tmp_path: Path
) -> None:
    """1/Omega and 1/omega, and rho under FedSONIA: the bound is that of `check` with them, and it says so."""
    found, said = bound(tmp_path, parameters)
    given = {name: v for name, v in CONSTANTS.items() if name != "least_loss"}

    assert found == fp.statement(ID).check(**STEPS, **given, mu1=mu1, mu2=mu2, K=3).bound
    assert found is not None
    assert "from truncation_floor, truncation_ceiling" in said
    assert bound(tmp_path, parameters, mu1=mu1, mu2=mu2)[0] == found


def test_a_stated_value_that_is_another_is_refused(tmp_path: Path) -> None:
    """In one line, with where the other is from."""
    with pytest.raises(InputError, match="inverse_hessian_floor follows from truncation_floor") as error:
        bound(tmp_path, TRUNCATED, mu1="3/4")

    assert "inverse_hessian_floor = 0.75 and 0.5" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("parameters", [{}, {"trunc_lo": "1/2"}, {"trunc_lo": 0, "trunc_hi": 2}])
def test_what_is_lacking_is_said(parameters: dict[str, Any], tmp_path: Path) -> None:
    """Without a truncation, or with none that can be, mu1 and mu2 are asked for, and what gives them."""
    found, said = bound(tmp_path, parameters)

    assert found is None
    assert "no inverse_hessian_floor (mu1), inverse_hessian_ceiling (mu2)" in said
    assert "mu1 and mu2 follow from trunc_lo and trunc_hi" in said


def test_a_record_says_them() -> None:
    """A run of FLECS-CGD needs no header for them: its own parameters give both, proved."""
    steps = {"stepsize": "1/100", "shift_stepsize": "1/10", "hessian_compressor": "natural"}
    alike = fp.Participation(average="plain")
    run = fp.run("flecs_cgd", "quadratic", clients=3, rounds=3, participation=alike, **steps, **TRUNCATED)
    others = {"gradient_dissimilarity": 10, "lyapunov_weight": 5, "mean_shift_error": 10, "clients": 3}
    header = {"constants": others | {"compression_variance": "1/8"}}
    (row,) = fp.validate(ID, history=run, header=header).results

    assert row.bound is not None
    assert not any("mu1" in said or "mu2" in said for said in row.rests_on)
