"""Logs held against theorems: the same numbers by hand, and what is said where something is missing."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fedproof as fp
from fedproof.solvers.cohort import Participation
from fedproof.validate.api import validate
from fedproof.validate.verdict import Verdict
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from tests.refusals import refused
from tests.validate.logs_for_tests import (
    CONSTANTS,
    HYPER,
    LOSSES,
    PROBLEM,
    SQUARES,
    csv_of,
    csv_run,
    ran,
    toml,
)

#: of each paper a statement, its column, which of the four values count, and its numbers; Delta is 1
THEOREMS: dict[str, tuple[str, str, slice, dict[str, Any], dict[str, Any]]] = {
    "fedproxvr.certified.sarah": (
        "fedproxvr", "squared_gradient", slice(1, 4), {"mu": 30, "beta": 40, "tau": 60},
        {"L": 1, "lam": 0, "sigma2": "1/4"},
    ),
    "fedproxvr.theorem1.sharpened": (
        "fedproxvr", "squared_gradient", slice(1, 4), {"mu": 30, "theta": "1/10"},
        {"L": 1, "lam": 0, "sigma2": "1/4"},
    ),
    "fedprox.theorem1.general": (
        "fedprox", "squared_gradient", slice(0, 3), {"eta": "1/10", "eps": "1e-7", "I": 2}, {"L": 1, "G": 1},
    ),
    "fedprox.theorem3.general.repaired": (
        "fedmspp", "squared_gradient", slice(0, 3), {"eta": "1/10", "eps": "1e-7", "I": 2, "b": 1},
        {"L": 1, "G": 1, "H2": 1},
    ),
    "composite.theorem3.5.sharpened": (
        "fedcomposite", "squared_prox_gradient", slice(0, 3),
        {"eta": "1/100", "eta_g": 2, "tau": 3, "b": 1}, {"L": 1, "n": 5, "sigma2": 1, "Omega1": 2},
    ),
    "composite.theorem3.8.sharpened": (
        "fedcomposite", "squared_distance", slice(3, 4),
        {"eta": "1/1000", "eta_g": 2, "tau": 3, "b": 1},
        {"L": 1, "n": 5, "sigma2": 1, "Omega1_sc": 2, "mu_sc": "1/2"},
    ),
    "flecs.theorem5.repaired": (
        "flecs_cgd", "squared_gradient", slice(0, 3), {"alpha": "1/1000", "gamma": "1/2", "c": 4},
        {"L": 1, "n": 5, "mu1": "1/2", "mu2": 2, "omega": "1/8", "sigma2": 1, "zeta2": 1, "kappa0": 1},
    ),
    "flecs.theorem4.repaired": (
        "flecs_cgd", "lyapunov", slice(3, 4), {"alpha": "1/1000", "gamma": "1/2", "c": 4},
        {"L": 1, "mu": "1/2", "n": 5, "mu1": "1/2", "mu2": 2, "omega": "1/8", "sigma2": 1, "Psi0": 3},
    ),
}  # fmt: skip


def judged(tmp_path: Path, text: str, *ids: str, header: Mapping[str, Any] | None = None) -> Verdict:
    """The verdict on one log."""
    path = tmp_path / "run.csv"
    path.write_text(text)
    (row,) = validate(*ids, history=path, header=header).results
    return row


@pytest.mark.parametrize("id", THEOREMS)
def test_of_each_paper_the_bound_is_that_of_check(id: str, tmp_path: Path) -> None:
    """Measured is the mean of the rounds that count, in fractions; the bound that of `check` by hand."""
    algorithm, column, span, parameters, constants = THEOREMS[id]
    said = toml(algorithm, parameters=parameters, constants=constants | {"least_loss": 0})
    row = judged(tmp_path, csv_of({"loss": LOSSES, column: SQUARES}, said), id)
    letters = fp.statement(id).names
    rounds = {name: 3 for name in letters if name in "TRK"}
    gap = {"Delta": 1} if "Delta" in letters else {}
    counted = [Fraction(v) for v in SQUARES[span]]

    assert row.measured == float(sum(counted) / len(counted))
    assert row.bound == fp.statement(id).check(**parameters, **constants, **rounds, **gap).bound
    assert row.bound is not None
    assert (row.verdict, row.seeds) == ("inconclusive", 1)
    assert "1 of the 30 seeds that decide" in row.detail


def test_thirty_files_in_a_folder_decide(tmp_path: Path) -> None:
    """Thirty logs of runs that obey are consistent, and the verdict says what it takes on trust."""
    for seed in range(30):
        (tmp_path / f"run{seed}.csv").write_text(csv_run(seed))
    (row,) = validate(history=tmp_path).results
    same = validate(history=[ran(seed) for seed in range(30)]).results[0]

    assert (row.id, row.verdict, row.seeds) == ("fedproxvr.certified.sarah", "consistent", 30)
    assert row.measured == pytest.approx(same.measured, rel=1e-12)
    assert row.bound == pytest.approx(same.bound, rel=1e-12)
    assert "L = 1: given in the log" in row.rests_on
    assert any("least_loss, given in the log" in said for said in row.rests_on)
    assert any("averaged by size: the log does not say" in said for said in row.rests_on)
    assert any("fedproxvr.assumption1.smooth" in said for said in row.rests_on)
    assert not any("given" in said for said in same.rests_on)


def test_a_planted_falsehood_is_violated(tmp_path: Path) -> None:
    """Sixty logs with gradients a thousand times larger violate the bound; the exit code is 1."""
    for seed in range(60):
        (tmp_path / f"run{seed}.csv").write_text(csv_run(seed, 1000))

    found = validate(history=tmp_path)
    assert [v.verdict for v in found.results] == ["violated"]
    assert found.unexpected


def test_copies_of_a_run_are_no_sample(tmp_path: Path) -> None:
    """Thirty logs with seeds of their own and the same numbers in two of them are twenty-nine runs."""
    for seed in range(30):
        (tmp_path / f"run{seed}.csv").write_text(csv_run(seed))
    (tmp_path / "run1.csv").write_text(csv_run(0).replace("seed = 0", "seed = 1"))
    (row,) = validate(history=tmp_path).results

    assert (row.verdict, row.seeds) == ("inconclusive", 29)
    assert "1 of the runs agree with another in every number and are not counted" in row.detail


def test_runs_that_start_apart_have_no_common_gap(tmp_path: Path) -> None:
    """Delta is that of one start: logs whose first losses differ want it given."""
    for seed, first in enumerate((1.0, 2.0)):
        said = toml(seed=seed, parameters={"estimator": "sarah", **HYPER}, constants=CONSTANTS)
        text = csv_of({"loss": (first, *LOSSES[1:]), "grad_norm_sq": SQUARES}, said)
        (tmp_path / f"{seed}.csv").write_text(text)
    bare, given = (
        validate(history=tmp_path, header=h).results[0] for h in (None, {"constants": {"Delta": 2}})
    )

    assert "no initial_gap (Delta)" in bare.detail
    assert "a loss in round 0 that all runs share" in bare.detail
    assert given.bound is not None


def test_an_average_that_the_theorem_does_not_make(tmp_path: Path) -> None:
    """FedProxVR averages by size; a plain average is another algorithm, a scaled one suits nobody."""
    text = csv_of({"loss": LOSSES, "grad_norm_sq": SQUARES},
                  toml(parameters={"estimator": "sarah", **HYPER}, constants=CONSTANTS))  # fmt: skip
    rows = [
        judged(tmp_path, text, header={"participation": {"average": average}})
        for average in ("size", "plain")
    ]

    assert [row.verdict for row in rows] == ["inconclusive", "not applicable"]
    assert "averaged by size" in rows[1].detail
    assert not any("averaged by size" in said for said in rows[0].rests_on)


def test_a_record_without_a_seal_is_taken_at_its_word(tmp_path: Path) -> None:
    """A history and its saved file need no trust; a bare document does, and a changed one is refused."""
    saved = ran(0).save(tmp_path / "run.json")
    rows = [validate(history=source).results[0] for source in (ran(0), saved, ran(0).to_dict())]
    text = saved.read_text()
    saved.write_text(text.replace('"prox_weight": 30', '"prox_weight": 31'))

    assert [any("no seal" in said for said in row.rests_on) for row in rows] == [False, False, True]
    assert saved.read_text() != text
    refused(DataError, "another content than its sha256 says", validate, history=saved)


def test_an_estimate_of_a_record_is_said() -> None:
    """What `measure` estimated and what has no kind is taken on trust; what is exact or certified is not."""
    document = ran(0).to_dict()
    constants = {word: dict(entry) for word, entry in document["constants"].items()}
    constants["dissimilarity"]["kind"] = "estimate"
    constants["weak_convexity"] = 0
    (row,) = validate(history=document | {"constants": constants}).results
    numbers = [said for said in row.rests_on if " = " in said]

    assert [said.partition(": ")[2] for said in numbers] == ["given in the log", "an estimate"]
    assert [said[0] for said in numbers] == ["l", "s"]


def test_a_column_with_another_name_is_not_the_metric(tmp_path: Path) -> None:
    """A gradient norm of something else is not taken for the theorem's: the missing column is named."""
    said = toml(parameters={"estimator": "sarah", **HYPER}, constants=CONSTANTS)
    row = judged(tmp_path, csv_of({"loss": LOSSES, "client_grad_norm": SQUARES}, said))

    assert (row.verdict, row.measured, row.bound) == ("not applicable", None, None)
    assert "no column squared_gradient (squared norm of the global gradient" in row.detail
    assert "the columns are loss, client_grad_norm" in row.detail
    assert "of no statement about fedproxvr it has everything" in row.detail


def test_what_is_missing_and_what_is_there_are_named(tmp_path: Path) -> None:
    """Without beta the chain cannot be judged; theta is given, so that Theorem 1 can."""
    parameters = {"estimator": "sarah", "mu": 30, "theta": "1/10"}
    text = csv_of({"loss": LOSSES, "grad_norm_sq": SQUARES}, toml(parameters=parameters, constants=CONSTANTS))
    row = judged(tmp_path, text, "fedproxvr.certified.sarah")

    assert (row.id, row.verdict) == ("fedproxvr.certified.sarah", "not applicable")
    assert "no inverse_stepsize (beta), local_steps (tau)" in row.detail
    assert "it has everything for fedproxvr.theorem1, fedproxvr.theorem1.sharpened" in row.detail
    assert judged(tmp_path, text).id == "fedproxvr.theorem1"
    assert judged(tmp_path, text).bound is not None


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"estimator": "sgd"}, "speaks of FedProxVR with SARAH or SVRG, not of fedproxvr with estimator=sgd"),
        ({"batch_size": 8}, "with batch_size=1, not of batch_size=8"),
        ({"batch_size": "full"}, "with batch_size=1, not of batch_size=full"),
        ({"returned": "last"}, "with returned=random, not of returned=last"),
        ({"mu": 1}, "fails"),
    ],
)
def test_outside_the_hypotheses_says_why(parameters: dict[str, Any], why: str, tmp_path: Path) -> None:
    """What the header says is held against the theorem's own algorithm and conditions."""
    said = toml(parameters={"estimator": "sarah", **HYPER} | parameters, constants=CONSTANTS)
    row = judged(tmp_path, csv_of({"loss": LOSSES, "grad_norm_sq": SQUARES}, said))

    assert (row.verdict, row.bound) == ("not applicable", None)
    assert why in row.detail


def test_who_took_part_is_held_against_the_theorem(tmp_path: Path) -> None:
    """Theorem 1 of FedProx draws with replacement; a cohort drawn without is another statement's."""
    drawn = {"count": 2, "average": "plain"}
    said = toml("fedprox", parameters={"eta": "1/10", "eps": "1e-7"}, constants={"L": 1, "G": 1, "M": 4},
                participation=drawn)  # fmt: skip
    text = csv_of({"loss": LOSSES, "squared_gradient": SQUARES}, said)
    row = judged(tmp_path, text, "fedprox.theorem1.general", header={"constants": {"least_loss": 0}})
    other = judged(tmp_path, text, header={"constants": {"least_loss": 0}})

    assert "drawn uniformly with replacement" in row.detail
    assert row.verdict == "not applicable"
    assert (other.id, other.verdict) == ("fedprox.section2.distinct.general", "inconclusive")
    assert "I = 2: given in the log" in other.rests_on


def test_what_a_theorem_chooses_must_be_what_ran(tmp_path: Path) -> None:
    """Theorem 1 with constants takes an eta of its own: no run with another is held against it."""
    statement = fp.statement("fedprox.theorem1.explicit")
    numbers = {"L": 1, "G": 1, "I": 2, "eps": "1e-9"}
    eta = statement.value("eta", T=3, **numbers)

    def row(**prox: Any) -> Verdict:
        said = toml("fedprox", parameters={**numbers, **prox}, constants={"least_loss": 0})
        return judged(
            tmp_path, csv_of({"loss": LOSSES, "squared_gradient": SQUARES}, said), statement.statement.id
        )

    assert "the statement takes eta (prox_stepsize) = " in row(prox_weight=10).detail
    assert row(eta=repr(eta)).verdict == "inconclusive"
    assert any(said.startswith("eta = ") and "does not say" in said for said in row().rests_on)


def test_full_gradients_are_a_hypothesis(tmp_path: Path) -> None:
    """What holds with full gradients is not applied to a run with minibatches."""
    numbers = {"eta": "1/100", "eta_g": 2, "tau": 3, "L": 1, "Omega1": 2}
    text = csv_of({"squared_prox_gradient": SQUARES})
    rows = [
        judged(
            tmp_path,
            toml("fedcomposite", parameters={**numbers, **batch}) + text,
            "composite.exact.nonconvex",
        )
        for batch in ({"b": 1}, {"batch_size": "full"}, {})
    ]

    assert [row.verdict for row in rows] == ["not applicable", "inconclusive", "inconclusive"]
    assert "with batch_size=full, not of batch_size=1" in rows[0].detail
    assert any("batch_size=full: the log does not say" in said for said in rows[2].rests_on)


def test_the_descent_of_every_round_is_judged(tmp_path: Path) -> None:
    """(87) in each round: the decrease of the loss over the squared gradient; the nearest round is told."""
    said = toml(parameters={"mu": 30, "theta": "1/10"}, constants=CONSTANTS)
    row = judged(tmp_path, csv_of({"loss": LOSSES, "grad_norm_sq": SQUARES}, said), "fedproxvr.eq87")
    ratios = [(a - b) / s for a, b, s in zip(LOSSES, LOSSES[1:], SQUARES, strict=False)]

    assert row.relation == ">="
    assert row.measured == min(ratios)
    assert "in round 1" in row.detail


def test_the_gap_of_the_objective_needs_the_least_loss(tmp_path: Path) -> None:
    """The last loss minus the least one stands for a column objective_gap; without it that is said."""
    numbers = {"eta": "1/100", "eta_g": 2, "tau": 3, "L": 1, "mu": "1/2", "Omega1": 2}
    text = toml("fedcomposite", parameters=numbers) + csv_of({"loss": LOSSES})
    row = judged(tmp_path, text, "composite.exact.pl", header={"constants": {"least_loss": "1/16"}})

    assert row.measured == 0.0625
    assert "least_loss = 0.0625: given in the log" in row.rests_on
    assert "no least_loss for objective_gap" in judged(tmp_path, text, "composite.exact.pl").detail


def test_a_frame_a_history_and_a_sweep_are_read() -> None:
    """A DataFrame of a history says what the history says; a sweep gives a row a setting."""
    history = ran(0)
    frame = history.frame
    frame.attrs["fedproof"] = {
        "algorithm": "fedproxvr", "parameters": {"estimator": "sarah", **HYPER}, "constants": CONSTANTS
    }  # fmt: skip
    sweep = fp.sweep("fedproxvr", "quadratic", grid={"tau": [60, 70]}, beta=40, mu=30, seeds=2, rounds=2)
    by_document = validate(history=sweep.to_dict()).results
    rows = validate(history=sweep).results

    assert validate(history=frame).results[0].measured == validate(history=history).results[0].measured
    assert validate(history=frame).results[0].bound == validate(history=history).results[0].bound
    assert [row.seeds for row in rows] == [2, 2]
    assert ["tau=60" in rows[0].detail, "tau=70" in rows[1].detail] == [True, True]
    assert [row.measured for row in by_document] == [row.measured for row in rows]


def test_the_folder_of_a_sweep_is_its_settings(tmp_path: Path) -> None:
    """Records in a folder are put together by setting; a list of different settings is refused."""
    grid = {"tau": [60, 70]}
    sweep = fp.sweep("fedproxvr", "quadratic", grid=grid, beta=40, mu=30, seeds=2, rounds=2, folder=tmp_path)
    rows = validate(history=tmp_path).results

    assert sorted(r.measured for r in rows) == sorted(r.measured for r in validate(history=sweep).results)
    refused(InputError, "local_steps = 60 and 70", validate, history=list(sweep.histories))


def test_a_frame_holds_several_seeds() -> None:
    """Rows with a column seed are as many runs: those of the sweep's own frame."""
    frames = [ran(seed).frame.reset_index().assign(seed=seed) for seed in range(3)]
    header = {"algorithm": "fedproxvr", "parameters": {"estimator": "sarah", **HYPER}, "constants": CONSTANTS}
    (row,) = validate(history=pd.concat(frames), header=header).results

    assert row.seeds == 3
    assert row.measured == pytest.approx(validate(history=[ran(s) for s in range(3)]).results[0].measured)


def test_constants_may_be_added_to_a_record() -> None:
    """A run of FedProx lacks G; given beside it, the theorem is judged, and only that rests on the log."""
    who = Participation(2, replacement=True, average="plain")
    history = fp.run("fedprox", PROBLEM.as_float(), rounds=2, seed=1, mu=40, local_solver="to_suboptimality",
                     eps="1e-8", participation=who)  # fmt: skip
    bare = validate("fedprox.theorem1.general", history=history).results[0]
    row = validate("fedprox.theorem1.general", history=history, header={"constants": {"G": 5}}).results[0]

    assert "no lipschitz_sample (G)" in bare.detail
    assert row.verdict == "inconclusive"
    assert [said for said in row.rests_on if "given" in said] == ["G = 5: given in the log"]
    for header in ({"participation": {}}, {"columns": {"loss": "cost"}}, {"algorithm": "fedavg"}):
        refused(InputError, None, validate, history=history, header=header)
    refused(InputError, "L|smoothness_sample", validate, "fedprox.theorem1.general", history=history,
            header={"constants": {"G": 5, "smoothness_sample": 7}})  # fmt: skip


def test_statements_that_no_log_shows_are_not_applicable(tmp_path: Path) -> None:
    """A claim on clients and one on parameters say what they are about, and what can be judged instead."""
    said = toml(parameters={"estimator": "sarah", **HYPER}, constants=CONSTANTS)
    path = tmp_path / "run.csv"
    path.write_text(csv_of({"loss": LOSSES, "grad_norm_sq": SQUARES}, said))
    lemma, remark = validate("fedproxvr.lemma1.sarah", "fedproxvr.remark1.2", history=path).results

    assert {lemma.verdict, remark.verdict} == {"not applicable"}
    assert "every client n and round s" in lemma.detail
    assert "'monotone'" in remark.detail
    assert "it has everything for fedproxvr.certified.sarah" in lemma.detail


def test_an_algorithm_without_theorems_says_of_what_its_paper_speaks(tmp_path: Path) -> None:
    """FedMid is a baseline of composite: its log is held against nothing, and the reason is one line."""
    row = judged(tmp_path, csv_of({"squared_prox_gradient": SQUARES}, toml("fedmid")))

    assert row.verdict == "not applicable"
    assert "speaks of Algorithm 1, fedcomposite, not of fedmid" in row.detail


def test_ids_that_do_not_fit_and_logs_without_algorithm_are_refused(tmp_path: Path) -> None:
    """A SARAH log has no SVRG statement; a log that names no algorithm needs an ID."""
    path = tmp_path / "run.csv"
    path.write_text(csv_run(0))
    refused(UnknownName, "fedproxvr.certified.svrg", validate, "fedproxvr.certified.svrg", history=path)
    path.write_text(csv_of({"loss": LOSSES}))
    refused(InputError, "no algorithm and no ID", validate, history=path)
    refused(InputError, "beside a history", validate, "fedproxvr.lemma3", header={})
    refused(DataError, "log", validate, history=tmp_path / "nothing")
