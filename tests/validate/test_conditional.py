"""Verdicts that are conditional on constants measured along the run: named, and never green."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pandas as pd
import pytest

import fedproof as fp
from fedproof.cli import main
from fedproof.report.verdict_words import tone
from fedproof.validate.logs.along import Along
from fedproof.validate.logs.run_log import RunLog
from fedproof.validate.verdict import BoundComparison, Validation, Verdict, VerdictName, assign_verdicts
from tests.validate.logs_for_tests import CONSTANTS, HYPER

RUNS = 32
WITHOUT = {name: value for name, value in CONSTANTS.items() if name != "sigma2"}
#: of Theorem 1 with a theta that makes Theta > 0
THEOREM = "fedproxvr.theorem1"


def frame(
    dissimilarity: Sequence[Any] = (0.01, 0.02, 0.015, 9.0),
    inexactness: Sequence[Any] | None = None,
    scale: float = 1,
    runs: int = RUNS,
    constants: Mapping[str, str] = WITHOUT,
    parameters: Mapping[str, str] = HYPER,
) -> pd.DataFrame:
    """Logs of three rounds, alike but for a little noise; the last dissimilarity is of no round's start."""
    rows = []
    for seed in range(runs):
        for r in range(4):
            noise = 1 + 1e-3 * random.Random(f"{seed} {r}").random()
            row: dict[str, Any] = {"seed": seed, "round": r, "loss": 0.5 / (r + 1)}
            row["squared_gradient"] = scale * noise * 0.5**r
            row["dissimilarity"] = None if dissimilarity[r] is None else dissimilarity[r] - 1e-6 * seed
            if inexactness is not None:
                row["inexactness"] = inexactness[r]
            rows.append(row)
    found = pd.DataFrame(rows)
    found.attrs["fedproof"] = {
        "algorithm": "fedproxvr",
        "parameters": {"estimator": "sarah", **parameters},
        "constants": dict(constants),
    }
    return found


def judged(*ids: str, **how: Any) -> Verdict:
    """The one row of logs."""
    (row,) = fp.validate(*ids, history=frame(**how)).results
    return row


def test_what_is_kept_is_conditional_on_the_largest_value_seen() -> None:
    """Without sigma2 the largest dissimilarity of rounds 0 to T-1 takes its place, and the row says so."""
    row = judged()

    assert row.verdict == "conditional"
    (said,) = row.conditional
    assert said.startswith("sigma2 = 0.02: the largest dissimilarity at the models that rounds start from")
    assert "rounds 0 to 2 of 32 runs" in said
    assert said in row.rests_on
    assert f"conditional on {said}" in row.detail
    known = {"L": 1, "lam": 0, "sigma2": "0.02", "Delta": "1/2", "T": 3, **HYPER}
    assert row.bound == pytest.approx(
        fp.statement("fedproxvr.certified.sarah").check(**known).bound, rel=1e-12
    )


def test_a_constant_that_is_given_goes_first() -> None:
    """With sigma2 in the header nothing is measured, and the verdict is consistent as before."""
    row = judged(constants=CONSTANTS)

    assert (row.verdict, row.conditional) == ("consistent", ())


def test_what_is_not_kept_is_no_violation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Beyond the bound for a measured value nothing is violated; with the value given it is, as before."""
    row = judged(scale=1e4, runs=64)
    given = judged(scale=1e4, runs=64, constants=CONSTANTS)

    assert row.verdict == "inconclusive"
    assert "beyond the bound for what was measured" in row.detail
    assert given.verdict == "violated"


@pytest.mark.parametrize("how", [{}, {"scale": 1e4, "runs": 64}], ids=["kept", "not kept"])
def test_the_exit_code_is_what_it_was_without_the_column(
    how: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A conditional verdict changes no exit code, and a violation beside it still makes it 1."""
    header = tmp_path / "header.toml"
    logs = frame(**how)
    said = [f'{k} = "{v}"' for k, v in logs.attrs["fedproof"]["parameters"].items()]
    header.write_text("\n".join(['algorithm = "fedproxvr"', "[parameters]", *said, "[constants]"]
                                + [f'{k} = "{v}"' for k, v in WITHOUT.items()]))  # fmt: skip
    codes = []
    for name, table in (("with", logs), ("without", logs.drop(columns="dissimilarity"))):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
        asked = ["validate", "fedproxvr.certified.sarah", "--history", str(tmp_path / f"{name}.csv")]
        codes.append(main([*asked, "--header", str(header)]))
    assert codes == [0, 0]
    header.write_text(header.read_text() + f'\nsigma2 = "{CONSTANTS["sigma2"]}"\n')
    asked = ["validate", "fedproxvr.certified.sarah", "--history", str(tmp_path / "with.csv")]
    assert main([*asked, "--header", str(header)]) == int("scale" in how)
    capsys.readouterr()


@pytest.mark.parametrize("hole", [None, float("nan"), float("inf"), -1.0])
def test_a_round_without_a_value_shows_nothing(hole: Any) -> None:
    """Where a round's start has no finite dissimilarity there is none to go by: not applicable, and why."""
    row = judged("fedproxvr.certified.sarah", dissimilarity=(0.01, hole, 0.015, 9.0))

    assert (row.verdict, row.bound, row.conditional) == ("not applicable", None, ())
    assert "no dissimilarity (sigma2)" in row.detail
    assert "for a conditional verdict log dissimilarity in every round" in row.detail


def test_rounds_without_end_are_not_gone_through() -> None:
    """A log that says it ran 10^20 rounds and shows two of them shows no constant, at once."""
    logs = [RunLog("run", (0, 10**20), {"dissimilarity": (0.1, 0.2)})]

    assert Along("dissimilarity", "before", "models").seen(logs) is None
    assert Along("inexactness", "after", "models").seen(logs) is None


def test_the_end_of_a_run_is_no_rounds_start() -> None:
    """The value after the last round counts for nothing: it may be missing."""
    assert judged(dissimilarity=(0.01, 0.02, 0.015, None)).verdict == "conditional"


def test_inexactness_is_measured_too() -> None:
    """Theorem 1 with neither sigma2 nor theta is conditional on both, theta over rounds 1 to T."""
    row = judged(THEOREM, inexactness=(None, 0.01, 0.03, 0.02), parameters={"mu": "30"})

    assert row.verdict == "conditional"
    assert [said.partition(" = ")[0] for said in row.conditional] == ["sigma2", "theta"]
    assert "theta = 0.03: the largest inexactness at the clients' models" in row.conditional[1]
    assert "rounds 1 to 3 of 32 runs" in row.conditional[1]
    known = {"L": 1, "lam": 0, "sigma2": "0.02", "theta": "0.03", "mu": 30, "Delta": "1/2", "T": 3}
    assert row.bound == pytest.approx(fp.statement(THEOREM).check(**known).bound, rel=1e-12)


def test_a_value_outside_its_domain_is_none() -> None:
    """An inexactness beyond 1 is no theta: not applicable, with the value."""
    row = judged(THEOREM, inexactness=(None, 0.01, 1.5, 0.02), parameters={"mu": "30"})

    assert row.verdict == "not applicable"
    assert "rounds 1 to 3 of 32 runs: measured there alone, 1.5, which is not" in row.detail


def test_conditions_that_fail_with_what_was_measured_name_it() -> None:
    """A measured sigma2 for which no Theta > 0 is left makes the theorem not applicable, and is named."""
    row = judged(dissimilarity=(500.0, 600.0, 700.0, 0.0))

    assert (row.verdict, row.bound) == ("not applicable", None)
    assert "fails" in row.detail
    assert "sigma2 = 700: the largest dissimilarity" in row.detail


def test_what_needs_no_measured_constant_goes_first() -> None:
    """Unasked, a log is held against a statement for which it has every number, if there is one."""
    theta = judged(inexactness=(None, 0.01, 0.03, 0.02))
    whole = judged(inexactness=(None, 0.01, 0.03, 0.02), constants=CONSTANTS)

    assert (theta.id, theta.verdict) == ("fedproxvr.certified.sarah", "conditional")
    assert (whole.id, whole.verdict) == ("fedproxvr.certified.sarah", "consistent")


def finding(obeyed: float, violated: float, *conditional: str, applies: bool = True) -> BoundComparison:
    """A comparison with p-values."""
    return BoundComparison("an.id", "metric", "<=", 1.0, 2.0, "", "", 40, violated, obeyed, applies,
                           conditional=conditional)  # fmt: skip


@pytest.mark.parametrize("applies", [True, False])
@pytest.mark.parametrize(("obeyed", "violated"), [(0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (0.5, 0.5)])
def test_a_conditional_row_is_never_consistent_nor_violated(
    obeyed: float, violated: float, applies: bool
) -> None:
    """Whatever the p-values, the word is none of the two that count."""
    rows = (finding(obeyed, violated, "sigma2 = 1", applies=applies),)
    (row,) = assign_verdicts(rows, lambda: rows)

    assert row.verdict in {"conditional", "inconclusive", "not applicable"}
    assert (row.verdict == "conditional") == (applies and (obeyed, violated) == (0.0, 1.0))
    assert Validation((row,)).unexpected == ()


def test_conditional_rows_change_no_other_row() -> None:
    """Beside conditional rows the others have the verdicts that they have alone; a violation stays one."""
    draw = random.Random(0)
    for _ in range(50):
        plain = tuple(finding(10 ** -draw.uniform(0, 8), 10 ** -draw.uniform(0, 8)) for _ in range(4))
        beside = (*plain, *(replace(f, conditional=("sigma2 = 1",)) for f in plain))
        alone = assign_verdicts(plain, lambda rows=plain: rows)  # type: ignore[misc]
        assert assign_verdicts(beside, lambda rows=beside: rows)[:4] == alone  # type: ignore[misc]
    loud = (finding(1.0, 0.0), finding(0.0, 1.0, "sigma2 = 1"))
    assert [v.verdict for v in Validation(assign_verdicts(loud, lambda: loud)).unexpected] == ["violated"]


def test_the_word_is_not_coloured_green() -> None:
    """The report shows it as something to look at, and counts it under its own name."""
    assert tone("conditional") == "warn"
    assert "conditional" in get_args(VerdictName)
    row = assign_verdicts((finding(0.0, 1.0, "sigma2 = 1"),), tuple)[0]
    assert Validation((row,)).headline() == "1 conditional"


@pytest.mark.parametrize(("relation", "measured", "word"), [
    ("<=", 5.0, "inconclusive"), (">=", 0.5, "inconclusive"),
    ("<=", 0.5, "consistent"), (">=", 5.0, "consistent"),
])  # fmt: skip
def test_a_test_does_not_talk_a_number_past_its_bound(relation: Any, measured: float, word: str) -> None:
    """A finding whose own numbers break its bound is not consistent, however sure its p-value says to be."""
    rows = (BoundComparison("a", "m", relation, measured, 1.0, "p", "d", p_obeyed=0.0),)
    (row,) = assign_verdicts(rows, lambda: rows)

    assert row.verdict == word
