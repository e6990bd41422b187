"""The page of the plan: what to run, which theorem promises what, and what the words mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fedproof.planning.plan_result import USELESS, duration
from fedproof.report.cells import badge, code, link, shown, small, stacked
from fedproof.report.tables import HtmlTable

Row = Mapping[str, Any]
#: what a reader must know of the words of a plan
WORDS = (
    ("certified", "The theorem holds by the audit, its parameters are admissible in exact arithmetic, every "
                  "constant is exact or a proved bound on the safe side, and its short run did not exceed "
                  "its bound."),
    ("on estimates", "It would apply if the constants that are named were what sampling says; most of these "
                     "are lower bounds."),
    ("certified, not useful", "Certified, but after the short run its bound is more than "
                              f"{USELESS:g} times what was measured, or than the value at the start "
                              "where a round is too much work for a short run."),
    ("theorem refuted", "The numbers fit, but the audit refutes the statement: it promises nothing."),
    ("recommended", "The quickest certified row. Its rounds are a promise for every problem with these "
                    "constants."),
    ("suggested", "The best of a small search over step size and local steps. Nothing is promised of it."),
)  # fmt: skip


def plan_page(found: Row | None) -> dict[str, Any] | None:
    """What the page shows, read off the plan's document; None where there is none."""
    if not found:
        return None
    rows = found["plans"]
    best = None if found["best"] is None else rows[found["best"]]
    return {
        "command": found["command"],
        "headline": found["headline"],
        "best": None if best is None else _recommended(best),
        "suggested": _suggested(found["pilot"]["suggested"]),
        "tables": [t for t in (_theorems(rows), _refused(rows), _constants(found["constants"])) if t.rows],
        "words": WORDS,
    }


def _statement(id: str) -> Any:
    return link(f"{id.partition('.')[0]}/{id}.html", code(id))


def _recommended(row: Row) -> dict[str, Any]:
    """The setting, in the field's words, and how far its run bears it out."""
    run = {k: _setting(v) for k, v in row["run"].items() if not (k == "batch_size" and v is None)}
    return {
        "algorithm": row["algorithm"],
        "statement": _statement(row["statement"]),
        "label": row["label"],
        "parameters": [(word.replace("_", " "), value) for word, value in run.items()],
        "rounds": row["rounds"],
        "time": duration(row["seconds"]),
        "ran": _ran(row),
    }


def _setting(value: Any) -> str:
    if isinstance(value, Mapping):
        who = "all clients" if value.get("count") is None else f"{value['count']} clients"
        return f"{who}, {value.get('average', 'size')} mean"
    return shown(value)


def _ran(row: Row) -> str:
    run = row["pilot"]
    if run is None or run["bound"] is None:
        return "A round is too much work for a short run, so that none was made."
    kept = "keeps" if run["measured"] <= run["bound"] * (1 + 1e-9) else "exceeds"
    rest = (
        "" if run["rounds"] >= row["rounds"] else f"; the other {row['rounds'] - run['rounds']} were not run"
    )
    return (
        f"Its run {kept} the bound for {run['rounds']} rounds: {shown(run['measured'])} measured, "
        f"bound {shown(run['bound'])} ({run['of']}){rest}."
    )


def _suggested(run: Row) -> str:
    return f"{run['label']}: loss {shown(run['loss'][0])} → {shown(run['loss'][1])} in {run['rounds']} rounds"


def _theorems(rows: Any) -> HtmlTable:
    columns = (
        "theorem",
        "kind",
        "rounds",
        "time",
        "bits up and down",
        "bound over the value at the start",
        "short run",
    )
    cells = tuple(("", _theorem(row)) for row in rows if row["applicable"])
    return HtmlTable("Theorems that apply", columns, cells, (2, 4, 5))


def _theorem(row: Row) -> tuple[Any, ...]:
    run = row["pilot"]
    ran = "–"
    if run is not None:
        said = f"{shown(run['measured'])} measured, bound {shown(run['bound'])}, {run['rounds']} rounds"
        ran = stacked([said, small(run["of"])])
    return (
        stacked([_statement(row["statement"]), row["algorithm"], small(row["note"])]),
        stacked([badge(row["label"]), small(", ".join(row["rests_on"])), small(row["about"])]),
        shown(row["rounds"]),
        duration(row["seconds"]) or "–",
        shown(row["bits"]),
        shown(row["loose"]),
        ran,
    )


def _refused(rows: Any) -> HtmlTable:
    """The theorems that do not apply; those that fail alike in one row."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if not row["applicable"]:
            groups.setdefault((", ".join(row["blame"]), row["why"]), []).append(row)
    cells = tuple(("", (stacked(_once(group)), blame, why)) for (blame, why), group in groups.items())
    return HtmlTable("Theorems that do not apply", ("theorem", "for want of", "why"), cells)


def _once(rows: list[Row]) -> Iterator[Any]:
    return map(_statement, dict.fromkeys(row["statement"] for row in rows))


def _constants(known: Row) -> HtmlTable:
    cells = tuple(
        ("", (code(name), shown(entry["value"]), entry["kind"], entry["how"]))
        for name, entry in known.items()
    )
    return HtmlTable("Constants of the data", ("constant", "value", "known", "how"), cells, (1,))
