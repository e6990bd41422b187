"""The report's plan: one data set that ships with a dependency, every theorem, and what to run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.bounds.catalog import statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.planning.api import guarantees, planned
from fedproof.report.jobs import Job, Work
from fedproof.validate.statement_verdict import StatementVerdict

#: as the verb takes them; the time of a step is given, so that the page does not depend on the machine
ASKED: dict[str, Any] = {
    "clients": 8,
    "uplink": "1e6",
    "epsilon": "0.01",
    "step_seconds": "1e-6",
    "rounds": 20,
}
DATA = "breast_cancer"
COMMAND = " ".join(["fedproof plan", DATA, *(f"--{k.replace('_', '-')} {v}" for k, v in ASKED.items())])


def plan_of(work: Work, documents: list[Any]) -> Any:
    """The plan, by the verdicts of the report's own audit: no statement is audited twice."""
    del documents
    asked = {g.statement for g in guarantees()}
    rows = work.found.get("audit", {}).get("statements", ())
    verdicts = {row["id"]: str(row["verdict"]) for row in rows if row["id"] in asked}
    return work.do(plan_job(verdicts), "what to run")


def plan_job(verdicts: Mapping[str, str]) -> Job:
    """The plan of one data set.

    Arguments:
        verdicts: what an audit finds of each statement; of one that is not there, nothing.
    """

    def ask(id: str) -> Any:
        return lambda: StatementVerdict(id, verdicts.get(id, "open"), (), "")  # type: ignore[arg-type]

    def made(folder: Any, note: Any) -> dict[str, Any]:
        problem = (DATA, ASKED["clients"], 0, None)
        network = (ASKED["uplink"], None, ASKED["step_seconds"], 64)
        found = planned(ask, problem, network, ASKED["epsilon"], ASKED["rounds"], 0, progress=note)
        return {"command": COMMAND, **_told(found)}

    return Job(
        "plan",
        made,
        ("fedproof.planning.api",),
        parameters={"asked": {"data": DATA, **ASKED}, "verdicts": dict(verdicts)},
        accept=still_admitted,
    )


def _told(found: Any) -> dict[str, Any]:
    best = found.recommended
    place = None if best is None else found.plans.index(best)
    return {"headline": found.headline(), "best": place, **found.to_dict()}


def still_admitted(document: Any) -> bool:
    """Whether a plan's certified settings are admitted by their theorems, exactly, with the bound asked for.

    What it recommends must be one of them.

    Arguments:
        document: of a plan, as it was stored.
    """
    epsilon, best = float(ASKED["epsilon"]), document["best"]
    rows = [row for row in document["plans"] if row["certified"]]
    named = None if best is None else document["plans"][best]
    fits = named is None or (named in rows and named["statement"] == document["recommended"])
    return document["epsilon"] == epsilon and fits and all(_admitted(row, epsilon) for row in rows)


def _admitted(row: Mapping[str, Any], epsilon: float) -> bool:
    asked = StatementHandle(statement(row["statement"]))
    given = {name: value for name, value in row["parameters"].items() if name in asked.names}
    found = asked.check(**given)
    return found.applicable and found.bound is not None and found.bound <= epsilon
