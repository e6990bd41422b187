"""The page's tables, each from one part of the results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from fedproof.report.cards import fit
from fedproof.report.cells import HtmlTable, badge, code, interval, prose, shown, stacked
from fedproof.report.maths import mathml
from fedproof.report.summary import witness_text


def statements(results: Mapping[str, Any]) -> HtmlTable:
    """Every statement with its claim, conditions and verdict."""
    judged = {row["id"]: row for row in results.get("audit", {}).get("statements", ())}
    rows = tuple(
        (f"statement-{s['id']}", _statement(s, judged.get(s["id"]))) for s in results.get("statements", ())
    )
    return HtmlTable(
        "Each claim as printed, with its conditions and definitions",
        ("statement", "claim", "verdict", "why"),
        rows,
        (21, 44, 12, 23),
    )


def _statement(shown_: Mapping[str, Any], row: Mapping[str, Any] | None) -> tuple[Any, ...]:
    name = stacked([shown_["title"], code(shown_["id"]), _small(shown_["source"])])
    given = [mathml(c["latex"], small=True) for c in shown_["conditions"]]
    where = [mathml(d["latex"], small=True) for d in shown_["definitions"]]
    claim = stacked(
        [
            mathml(shown_["claim_latex"]),
            _small(Markup("if {}").format(_joined(given))) if given else "",
            _small(Markup("with {}").format(_joined(where))) if where else "",
        ]
    )
    if row is None:
        return name, claim, badge("not judged"), ""
    detail, witness = row.get("detail", ""), witness_text(row.get("witness"))
    why = stacked(
        [
            prose(detail),
            _small("" if witness in detail else witness),
            _small(_because(row)),
            _small(prose(shown_.get("note", ""))),
        ]
    )
    return name, claim, badge(row["verdict"]), why


def _because(row: Mapping[str, Any]) -> str:
    return f"by {', '.join(row['because'])}" if row.get("because") else ""


def _small(text: object) -> Markup:
    return Markup('<span class="small">{}</span>').format(text) if text else Markup("")


def _joined(parts: list[Markup]) -> Markup:
    return Markup(", ").join(parts)


def steps(results: Mapping[str, Any]) -> HtmlTable:
    """Steps of proofs that were decided."""
    rows = tuple(("", _step(s)) for s in results.get("audit", {}).get("steps", ()))
    return HtmlTable(
        "Steps of proofs", ("step", "equation", "verdict", "earned by", "detail"), rows, (20, 20, 15, 15, 30)
    )


def _step(s: Mapping[str, Any]) -> tuple[Any, ...]:
    earned, detail = shown(s["engines"]), s.get("detail", "")
    return code(s["id"]), shown(s.get("equation")), badge(s["verdict"]), earned, detail


def settings(results: Mapping[str, Any]) -> HtmlTable:
    """The papers' own parameter values against their own conditions."""
    rows = tuple(
        (
            "",
            (
                s["where"],
                shown(s["parameters"]),
                code(s.get("statement", s["paper"])),
                badge(fit(s)),
                shown(s["violates"]),
                prose(s.get("detail", "")),
            ),
        )
        for s in results.get("audit", {}).get("settings", ())
    )
    columns = ("where", "values stated", "statement", "verdict", "violates", "why")
    return HtmlTable("Each setting", columns, rows, (15, 16, 17, 15, 14, 23))


def measured(results: Mapping[str, Any]) -> HtmlTable:
    """Every comparison of a run with the theory."""
    columns = ("statement", "verdict", "metric", "measured", "bound", "slack", "seeds", "in words")
    titles = {s["id"]: s["title"] for s in results.get("statements", ())}
    rows = tuple(
        (
            "",
            (
                stacked([titles.get(r["id"], ""), code(r["id"])]),
                badge(r["verdict"]),
                shown(r.get("metric")).replace("_", " "),
                shown(r["measured"]),
                shown(r["bound"]),
                shown(r["slack"]),
                "exact" if r["confidence"] == 1 else shown(r["seeds"]),
                stacked([prose(r["detail"]), _small(f"on {r['problem']}" if r["problem"] else "")]),
            ),
        )
        for r in results.get("validate", {}).get("results", ())
    )
    return HtmlTable("Each comparison", columns, rows, (15, 14, 11, 9, 9, 7, 7, 28), frozenset({3, 4, 5, 6}))


def optima(results: Mapping[str, Any]) -> HtmlTable:
    """Best parameters with their proven lower bound."""
    rows = tuple(
        (
            "",
            (
                stacked([t["why_asked"], code(t["command"]), _small(_gain(t)), _small(t.get("note", ""))]),
                shown(t["objective"]),
                shown(t["lower_bound"]),
                badge("certified" if t["certified"] else "not certified"),
                shown(t.get("gap")),
                stacked(f"{name} = {shown(value)}" for name, value in (t["argmin"] or {}).items()),
            ),
        )
        for t in results.get("tune", ())
    )
    columns = ("question", "objective", "at least", "proof", "relative gap", "at")
    return HtmlTable("Each problem and its solution", columns, rows, (), frozenset({1, 2, 4}))


def _gain(tuned: Mapping[str, Any]) -> str:
    """How much a whole number of local steps saves over any number of them, or costs."""
    if tuned.get("gain") is None or tuned.get("real") is None:
        return ""
    word = "less" if tuned["gain"] >= 0 else "more"
    share, real = shown(abs(100 * tuned["gain"])), shown(tuned["real"])
    return f"{share} % {word} than the {real} of steps that need not be whole."


def ranges(results: Mapping[str, Any]) -> HtmlTable:
    """Admissible values of one symbol, with what binds at the ends."""
    columns = ("question", "symbol", "admissible", "whole numbers", "bound by", "answer")
    rows = tuple(
        (
            "",
            (
                stacked([r["why_asked"], code(r["command"])]),
                code(r["symbol"]),
                " or ".join(map(interval, r["intervals"], r["open"])) or badge("none"),
                _hull(r["integers"]),
                shown(r["binding"]),
                r["headline"],
            ),
        )
        for r in results.get("range", ())
    )
    return HtmlTable("One symbol, given others", columns, rows, (32, 8, 14, 10, 12, 24))


def _hull(hull: list[int | None] | None) -> str:
    if hull is None:
        return "–"
    low, high = ("…" if end is None else str(end) for end in hull)
    return f"{low} to {high}"


def checked(results: Mapping[str, Any]) -> HtmlTable:
    """A user's numbers against a statement."""
    rows = tuple(
        (
            "",
            (
                stacked([c["why_asked"], code(c["command"])]),
                badge("applies" if c["applicable"] else "not applicable"),
                stacked(
                    f"{k['label']}: {'holds' if k['holds'] else 'fails'}, margin {shown(k['margin'])}"
                    for k in c["conditions"]
                ),
                c["headline"],
            ),
        )
        for c in results.get("check", ())
    )
    return HtmlTable(
        "Numbers against statements", ("question", "answer", "conditions", "in words"), rows, (32, 14, 27, 27)
    )


def run_rows(results: Mapping[str, Any]) -> HtmlTable:
    """Runs on real data, with what the theory has to say about each."""
    columns = ("run", "rounds", "loss", "squared gradient", "its mean", "bound on it", "theory")
    rows = tuple(("", _run(r)) for r in results.get("runs", ()))
    return HtmlTable(
        "Each run and what the theory says of it",
        columns,
        rows,
        (33, 8, 11, 11, 8, 9, 20),
        frozenset({1, 4, 5}),
    )


def _run(run: Mapping[str, Any]) -> tuple[Any, ...]:
    theory, metrics = run["check"], run["metrics"]
    seen = [
        f"{name} is at least {shown(value)}, the largest seen along the run"
        for name, value in run["seen"].items()
    ]
    admits = run["admits"].values()
    return (
        stacked([run["title"], code(run["command"]), _small(run["problem"])]),
        stacked([shown(run["rounds"]), badge("diverged") if run["diverged"] else ""]),
        _from_to(metrics["loss"]),
        _from_to(metrics["squared_gradient"]),
        shown(run["mean_squared_gradient"]),
        shown(theory["bound"] if run["verdict"] == "applies" else None),
        stacked(
            [
                badge(run["verdict"]),
                theory["headline"],
                *map(_small, (*seen, *admits)),
            ]
        ),
    )


def _from_to(values: list[float]) -> str:
    return f"{shown(values[0])} → {shown(values[-1])}"


#: every table of the page
TABLES = (checked, measured, optima, ranges, run_rows, settings, statements, steps)
