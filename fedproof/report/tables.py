"""The tables of a paper's page and of its statements' pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from fedproof.figures.number_format import number
from fedproof.report.cells import badge, code, interval, link, prose, ratio, share, shown, small, stacked
from fedproof.report.paper_results import PaperResults, Row, need_words, printed
from fedproof.report.verdict_words import fit
from fedproof.vocabulary.metrics import METRICS


@dataclass(frozen=True)
class HtmlTable:
    """A table of a page.

    Arguments:
        caption: what it shows, for those who hear it too.
        columns: headings.
        rows: cells of text or markup, each row with its anchor or "".
        numeric: places of the columns that are set flush right.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Any, ...]], ...]
    numeric: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many rows it has."""
        return len(self.rows)


def _setting(s: Row) -> tuple[Any, ...]:
    return (
        s["where"],
        shown(s["parameters"]),
        code(s.get("statement", s["paper"])),
        badge(fit(s)),
        shown(s["violates"]),
        prose("; ".join(filter(None, (s.get("detail", ""), s.get("beside"))))),
    )


def _meaning(r: Row) -> str:
    """What was measured, in words."""
    name = r.get("metric") or ""
    return METRICS[name].meaning if name in METRICS else name.replace("_", " ")


def _compared(r: Row) -> tuple[Any, ...]:
    """A comparison in a line; its statement's page has the rest."""
    return link(f"{r['id']}.html#checks", r["id"]), badge(r["verdict"]), _meaning(r), ratio(r["slack"])


def _measured(r: Row) -> tuple[Any, ...]:
    """A comparison: what was measured, on what, and how much of the bound that is."""
    rests = [small(f"Rests on: {said}") for said in r.get("rests_on", ())]
    seeds = "every outcome" if r["confidence"] == 1 else f"{shown(r['seeds'])} seeds"
    lower = r.get("relation") == ">="
    parts = (r["bound"], r["measured"]) if lower else (r["measured"], r["bound"])
    return (
        code(r["id"]),
        badge(r["verdict"]),
        stacked([_meaning(r), small(f"on {r['problem']}" if r["problem"] else "")]),
        shown(r["measured"]),
        stacked([("at least " if lower else "") + shown(r["bound"]), share(*parts)]),
        ratio(r["slack"]),
        stacked([prose(r["detail"]), *rests, small(seeds if r["measured"] is not None else "")]),
    )


def _optimum(t: Row) -> tuple[Any, ...]:
    ends = (t["objective"], t["lower_bound"])
    least, bound = (shown(end) if end is None else number(end, 6) for end in ends)
    return (
        stacked([t["why_asked"], code(t["command"]), small(_gain(t)), small(t.get("note", ""))]),
        stacked([least, small(t.get("unit", ""))]),
        bound,
        badge("certified" if t["certified"] else "not certified"),
        shown(t.get("gap")),
        stacked(f"{name} = {shown(value)}" for name, value in (t["argmin"] or {}).items()),
    )


def _gain(tuned: Row) -> str:
    """How much a whole number of local steps saves over any number of them, or costs."""
    if tuned.get("gain") is None or tuned.get("real") is None:
        return ""
    word = "less" if tuned["gain"] >= 0 else "more"
    percent, real = abs(100 * tuned["gain"]), shown(tuned["real"])
    part = "under 0.001" if 0 < percent < 1e-3 else shown(percent)
    return f"{part} % {word} than the {real} of steps that need not be whole."


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
    return (
        stacked([run["title"], code(run["command"]), small(run["problem"])]),
        stacked([shown(run["rounds"]), badge("diverged") if run["diverged"] else ""]),
        *(f"{shown(line[0])} → {shown(line[-1])}" for line in (metrics["loss"], metrics["squared_gradient"])),
        shown(run["mean_squared_gradient"]),
        shown(theory["bound"] if run["verdict"] == "applies" else None),
        stacked([badge(run["verdict"]), theory["headline"], *map(small, (*seen, *run["admits"].values()))]),
    )


def _symbol(s: Row) -> tuple[Any, ...]:
    return code(s["name"]), s["meaning"], s["unit"] or "–", re.sub(r"\binf\b", "∞", s["domain"])


_Cells = Callable[[Row], tuple[Any, ...]]
#: by the name of a table: what makes a row, the caption, the columns, the numeric ones
_TABLES: dict[str, tuple[_Cells, str, tuple[str, ...], tuple[int, ...]]] = {
    "symbols": (_symbol, "Its letters", ("letter", "meaning", "unit", "domain"), ()),
    "settings": (
        _setting, "Each stated setting against each statement",
        ("where", "values stated", "statement", "verdict", "violates", "why"), (),
    ),
    "comparisons": (
        _measured, "Each comparison in full; the bar is the part of the bound that was used",
        ("compared with", "verdict", "what was measured", "measured", "bound", "bound over measured",
         "in words"),
        (3, 5),
    ),
    "overview": (
        _compared, "Each comparison; its statement's page says on which problem and with which numbers",
        ("statement", "verdict", "what was measured", "bound over measured"), (3,),
    ),
    "tuned": (
        _optimum, "Each problem and its solution",
        ("question", "least objective", "at least", "proof", "relative gap", "at"), (2, 4),
    ),
    "ranges": (
        _range, "One symbol, given others",
        ("question", "symbol", "admissible", "whole numbers", "bound by", "answer"), (),
    ),
    "checked": (_checked, "Numbers against statements", ("question", "answer", "conditions", "in words"), ()),
    "runs": (
        _run, "Each run and what the theory says of it",
        ("run", "rounds", "loss", "squared gradient", "its mean", "bound on it", "theory"), (1, 4, 5),
    ),
}  # fmt: skip


def table(name: str, rows: Iterable[Row]) -> HtmlTable:
    """One of the tables, of these rows of its part of the results."""
    cells, caption, columns, numeric = _TABLES[name]
    return HtmlTable(caption, columns, tuple(("", cells(row)) for row in rows), numeric)


def statements_table(paper: PaperResults) -> HtmlTable:
    """Every statement of a paper, with a link to its page."""
    rows = []
    for s in paper.statements:
        judged = paper.judged.get(s["id"], {})
        name = stacked([link(f"{s['id']}.html", s["title"]), code(s["id"])])
        why = why_words(paper, judged)
        whose = "printed" if printed(s) else "ours"
        rows.append(
            (f"statement-{s['id']}", (name, badge(paper.verdict(s["id"])), whose, s["source"], prose(why)))
        )
    return HtmlTable("Each claim", ("statement", "verdict", "printed or ours", "source", "why"), tuple(rows))


def why_words(paper: PaperResults, judged: Row) -> str:
    """Why a statement has its verdict, an error of the paper first; what its proof needs or cites by name."""
    said, basis = str(judged.get("detail") or ""), judged.get("basis", {})
    needs, cited = basis.get("needs", ()), sorted(basis.get("cited", ()))
    said = said.removesuffix(f"; it needs {', '.join(needs)} besides") if needs else said
    for id in sorted(needs, key=len, reverse=True):
        said = said.replace(id, f"“{need_words(paper, id)}”")
    if cited and said.endswith(f", {', '.join(cited)} cited"):
        said = said.removesuffix(f", {', '.join(cited)} cited")
        taken = dict.fromkeys(_taken(paper.step.get(id, {"id": id})) for id in cited)
        said += f"; cited: {'; '.join(taken)}"
    errors = [f["why"] for f in paper.facts.get("faults", ()) if judged.get("id") in f["ids"]]
    return ": ".join(filter(None, (*errors[:1], said))) if judged.get("verdict") == "refuted" else said


def _taken(step: Row) -> str:
    """What a cited line takes from another text, without what that says; its row in the ledger has both."""
    return str(step.get("note") or step["id"]).split(": ")[0].split(". ")[0].rstrip(".")
