"""The page's tables, each from one part of the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from fedproof.report.cards import fit
from fedproof.report.cells import badge, code, interval, prose, shown, stacked
from fedproof.report.maths import mathml
from fedproof.report.summary import witness_text

Row = Mapping[str, Any]


@dataclass(frozen=True)
class HtmlTable:
    """A table of the page.

    Arguments:
        caption: what it shows, for those who hear it too.
        columns: headings.
        rows: cells of text or markup, each row with its anchor or "".
        widths: of the columns in percent; none leaves them to the browser.
        numeric: places of the columns that are set flush right.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Any, ...]], ...]
    widths: tuple[int, ...]
    numeric: tuple[int, ...]


def _statement(s: Row) -> tuple[Any, ...]:
    """Its claim, conditions and verdict."""
    row = s["judged"] or {"verdict": "not judged"}
    name = stacked([s["title"], code(s["id"]), _small(s["source"])])
    given, where = (
        Markup(", ").join(mathml(part["latex"], small=True) for part in s[kind])
        for kind in ("conditions", "definitions")
    )
    claim = [
        mathml(s["claim_latex"]),
        _small(Markup("if {}").format(given) if given else ""),
        _small(Markup("with {}").format(where) if where else ""),
    ]
    if not s["judged"]:
        return name, stacked(claim), badge(row["verdict"]), ""
    detail, witness = row.get("detail", ""), witness_text(row.get("witness"))
    because = f"by {', '.join(row['because'])}" if row.get("because") else ""
    aside = ["" if witness in detail else witness, because, prose(s.get("note", ""))]
    return name, stacked(claim), badge(row["verdict"]), stacked([prose(detail), *map(_small, aside)])


def _small(text: object) -> Markup:
    return Markup('<span class="small">{}</span>').format(text) if text else Markup("")


def _step(s: Row) -> tuple[Any, ...]:
    earned, detail = shown(s["engines"]), s.get("detail", "")
    return code(s["id"]), shown(s.get("equation")), badge(s["verdict"]), earned, detail


def _setting(s: Row) -> tuple[Any, ...]:
    return (
        s["where"],
        shown(s["parameters"]),
        code(s.get("statement", s["paper"])),
        badge(fit(s)),
        shown(s["violates"]),
        prose("; ".join(filter(None, (s.get("detail", ""), s.get("beside"))))),
    )


def _measured(r: Row) -> tuple[Any, ...]:
    return (
        stacked([r["title"], code(r["id"])]),
        badge(r["verdict"]),
        shown(r.get("metric")).replace("_", " "),
        *(shown(r[name]) for name in ("measured", "bound", "slack")),
        "exact" if r["confidence"] == 1 else shown(r["seeds"]),
        stacked([prose(r["detail"]), _small(f"on {r['problem']}" if r["problem"] else "")]),
    )


def _optimum(t: Row) -> tuple[Any, ...]:
    return (
        stacked([t["why_asked"], code(t["command"]), _small(_gain(t)), _small(t.get("note", ""))]),
        shown(t["objective"]),
        shown(t["lower_bound"]),
        badge("certified" if t["certified"] else "not certified"),
        shown(t.get("gap")),
        stacked(f"{name} = {shown(value)}" for name, value in (t["argmin"] or {}).items()),
    )


def _gain(tuned: Row) -> str:
    """How much a whole number of local steps saves over any number of them, or costs."""
    if tuned.get("gain") is None or tuned.get("real") is None:
        return ""
    word = "less" if tuned["gain"] >= 0 else "more"
    share, real = shown(abs(100 * tuned["gain"])), shown(tuned["real"])
    return f"{share} % {word} than the {real} of steps that need not be whole."


def _range(r: Row) -> tuple[Any, ...]:
    whole = "–"
    if r["integers"] is not None:
        whole = " to ".join("…" if end is None else str(end) for end in r["integers"])
    return (
        stacked([r["why_asked"], code(r["command"])]),
        code(r["symbol"]),
        " or ".join(map(interval, r["intervals"], r["open"])) or badge("none"),
        whole,
        shown(r["binding"]),
        r["headline"],
    )


def _checked(c: Row) -> tuple[Any, ...]:
    return (
        stacked([c["why_asked"], code(c["command"])]),
        badge("applies" if c["applicable"] else "not applicable"),
        stacked(
            f"{k['label']}: {'holds' if k['holds'] else 'fails'}, margin {shown(k['margin'])}"
            for k in c["conditions"]
        ),
        c["headline"],
    )


def _run(run: Row) -> tuple[Any, ...]:
    """A run on real data, with what the theory has to say of it."""
    theory, metrics = run["check"], run["metrics"]
    seen = [
        f"{name} is at least {shown(value)}, the largest seen along the run"
        for name, value in run["seen"].items()
    ]
    small = map(_small, (*seen, *run["admits"].values()))
    return (
        stacked([run["title"], code(run["command"]), _small(run["problem"])]),
        stacked([shown(run["rounds"]), badge("diverged") if run["diverged"] else ""]),
        *(f"{shown(line[0])} → {shown(line[-1])}" for line in (metrics["loss"], metrics["squared_gradient"])),
        shown(run["mean_squared_gradient"]),
        shown(theory["bound"] if run["verdict"] == "applies" else None),
        stacked([badge(run["verdict"]), theory["headline"], *small]),
    )


#: by the name of a table: what makes a row, the caption, the columns with their widths, the numeric ones
_TABLES: dict[str, Any] = {
    "checked": (
        _checked, "Numbers against statements",
        {"question": 32, "answer": 14, "conditions": 27, "in words": 27}, (),
    ),
    "measured": (
        _measured, "Each comparison",
        {"statement": 15, "verdict": 14, "metric": 11, "measured": 9, "bound": 9, "slack": 7, "seeds": 7,
         "in words": 28}, (3, 4, 5, 6),
    ),
    "optima": (
        _optimum, "Each problem and its solution",
        dict.fromkeys(("question", "objective", "at least", "proof", "relative gap", "at")), (1, 2, 4),
    ),
    "ranges": (
        _range, "One symbol, given others",
        {"question": 32, "symbol": 8, "admissible": 14, "whole numbers": 10, "bound by": 12,
         "answer": 24}, (),
    ),
    "run_rows": (
        _run, "Each run and what the theory says of it",
        {"run": 33, "rounds": 8, "loss": 11, "squared gradient": 11, "its mean": 8, "bound on it": 9,
         "theory": 20}, (1, 4, 5),
    ),
    "settings": (
        _setting, "Each setting",
        {"where": 15, "values stated": 16, "statement": 17, "verdict": 15, "violates": 14, "why": 23}, (),
    ),
    "statements": (
        _statement, "Each claim as printed, with its conditions and definitions",
        {"statement": 21, "claim": 44, "verdict": 12, "why": 23}, (),
    ),
    "steps": (
        _step, "Steps of proofs",
        {"step": 20, "equation": 20, "verdict": 15, "earned by": 15, "detail": 30}, (),
    ),
}  # fmt: skip


def tables(results: Mapping[str, Any]) -> dict[str, HtmlTable]:
    """Every table of the page by name; without its part of the results it has no rows."""
    audit, claims = results.get("audit", {}), results.get("statements", ())
    judged = {row["id"]: row for row in audit.get("statements", ())}
    titles = {s["id"]: s["title"] for s in claims}
    compared = results.get("validate", {}).get("results", ())
    rows = {
        "checked": results.get("check", ()),
        "measured": [r | {"title": titles.get(r["id"], "")} for r in compared],
        "optima": results.get("tune", ()),
        "ranges": results.get("range", ()),
        "run_rows": results.get("runs", ()),
        "settings": audit.get("settings", ()),
        "statements": [s | {"judged": judged.get(s["id"])} for s in claims],
        "steps": audit.get("steps", ()),
    }
    found = {}
    for name, (cells, caption, columns, numeric) in _TABLES.items():
        anchor = "statement-{id}" if name == "statements" else ""
        made = tuple((anchor.format(**row), cells(row)) for row in rows[name])
        widths = tuple(filter(None, columns.values()))
        found[name] = HtmlTable(caption, tuple(columns), made, widths, numeric)
    return found
