"""Renders the ledger: one template for what it says, one small file of macros for each way to show it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.metadata import version
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from fedproof import __version__
from fedproof.figures.number_format import number
from fedproof.report.cells import tex
from fedproof.report.ledger_rows import papers
from fedproof.report.paper_results import anchored
from fedproof.report.site import environment
from fedproof.report.verdict_words import fit, tone

LIBRARIES = ("z3-solver", "cvc5", "sympy", "python-flint")
#: characters of a hypothesis that is shown once on a page of HTML
LONG = 60
_SIGNS = {">=": "≥", "<=": "≤", "!=": "≠"}
#: in the mathematics of Markdown a backslash before punctuation may be taken for an escape
_SPELLED = {
    r"\|": r"\Vert ",
    r"\{": r"\lbrace ",
    r"\}": r"\rbrace ",
    r"\,": r"\thinspace ",
    r"\;": " ",
    r"\ ": r"\quad ",
}
_SIGN_WORDS = {"good": "✓", "bad": "✗", "warn": "?", "none": ""}


@dataclass(frozen=True)
class Place:
    """Where a page shows a hypothesis: an anchor, "" for a short one, and whether it stands there already."""

    anchor: str = ""
    again: bool = False


class Places:
    """The hypotheses that a page has shown so far: a long one is shown once, and then by a link.

    >>> places, long = Places(), "every loss is smooth: |grad f(x) - grad f(y)| <= L |x - y| for every x, y"
    >>> places.of(long), places.of("n: n >= 1"), places.of(long)
    (Place(anchor='h1', again=False), Place(anchor='', again=False), Place(anchor='h1', again=True))
    """

    def __init__(self) -> None:
        self._known: dict[str, Place] = {}

    def of(self, said: str) -> Place:
        """The place of what is said now."""
        if len(said) < LONG:
            return Place()
        place = self._known.get(said)
        self._known[said] = Place(place.anchor if place else f"h{len(self._known) + 1}", True)
        return place or Place(f"h{len(self._known)}")


def html(
    document: Mapping[str, Any], rechecks: Sequence[tuple[str, int, str]], scripts: int = 0, root: str = ""
) -> str:
    """The ledger as an HTML page that needs no network.

    Arguments:
        document: of the audit.
        rechecks: what the standard-library script says of it.
        scripts: how many SMT-LIB files lie beside it.
        root: where the rest of a report lies from here; "" for a ledger by itself.
    """
    return _rendered(_html(), document, rechecks, scripts, root)


def markdown(document: Mapping[str, Any], rechecks: Sequence[tuple[str, int, str]], scripts: int = 0) -> str:
    """The same as Markdown, with mathematics between dollar signs; arguments as for `html`."""
    said = _rendered(_markdown(), document, rechecks, scripts)
    return re.sub(r"\n{3,}", "\n\n", said).strip() + "\n"


def _rendered(
    environment: Environment,
    document: Mapping[str, Any],
    rechecks: Sequence[tuple[str, int, str]],
    scripts: int,
    root: str = "",
) -> str:
    found = tuple(papers(document, rechecks))
    statements = {s["id"]: anchored(f"statement-{s['id']}") for s in document["statements"]}
    steps = {s["id"]: anchored(f"step-{s['id']}") for s in document["steps"]}
    names = {s["id"]: s["title"] for s in document["statements"]}
    names |= {s.row["id"]: s.name for p in found for s in p.steps}
    names |= {a["id"]: a["name"] for p in document["papers"] for a in p["assumptions"]}
    return environment.get_template("ledger.jinja").render(
        papers=found,
        anchors=statements | steps,
        places=Places(),
        names=names,
        scripts=scripts,
        root=root,
        words=dict.fromkeys(row["verdict"] for row in (*document["statements"], *document["steps"])),
        asked=" ".join(document["asked"]),
        versions={"fedproof": __version__} | {name: version(name) for name in LIBRARIES},
    )


def _environment(dialect: str, **options: Any) -> Environment:
    shared: dict[str, Callable[..., Any]] = {
        "squash": _squash,
        "anchored": anchored,
        "decimals": _decimals,
        "filled": _figured,
        "tone": tone,
        "fit": lambda admissible: fit({"admissible": admissible}),
        "assignments": lambda values: ", ".join(f"{k} = {v}" for k, v in values.items()) or "–",
        "sentence": _sentence,
    }
    found = environment(shared, **options)
    found.globals["dialect"] = dialect
    return found


@cache
def _html() -> Environment:
    found = _environment("ledger_html.jinja")
    found.filters |= {
        "maths": tex,
        "strong": lambda text: Markup("<strong>{}</strong>").format(text),
        "sides": lambda text: Markup('<span class="sides">{}</span>').format(_signs(text)),
    }
    return found


@cache
def _markdown() -> Environment:
    found = _environment("ledger_md.jinja", finalize=_plain)
    found.filters |= {
        "maths": lambda latex: Markup(f"${_spelled(latex)}$"),
        "display": lambda latex: Markup(f"$$\n{_spelled(latex)}\n$$"),
        "code": _ticked,
        "badge": lambda word: Markup(f"**{_SIGN_WORDS[tone(word)]} {word}**".replace("** ", "**")),
        "strong": lambda text: Markup("**{}**").format(_plain(text)),
        "sides": _signs,
    }
    return found


def _ticked(text: Any) -> Markup:
    """Code between more backticks than it has in a row; what would end a table's cell is escaped."""
    said = re.sub(r"\s", " ", str(text)).replace("|", r"\|")
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", said)), default=0))
    pad = " " if "`" in said else ""
    return Markup(ticks + pad + said + pad + ticks)


def _plain(value: Any) -> Any:
    """Text with what Markdown would take for its own signs escaped."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    said = re.sub(r"([\\`*_\[\]|])", r"\\\1", re.sub(r"\s*\n\s*", " ", value))
    return Markup(said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def _spelled(latex: str) -> str:
    """LaTeX that survives Markdown."""
    said = re.sub(r"\\[|{},; ]", lambda match: _SPELLED[match[0]], latex)
    return re.sub(r"\s+", " ", said.replace("<", r"\lt ").replace(">", r"\gt ")).strip()


def _sentence(text: str) -> str:
    """Words as a sentence; "" stays."""
    return text and text[0].upper() + text[1:].rstrip(".") + "."


def _squash(text: Markup) -> Markup:
    """One line, without space before a full stop."""
    return Markup(re.sub(r"\s+([.,;:)])", r"\1", re.sub(r"\s+", " ", text)).strip())


def _signs(text: str) -> str:
    """Both sides of a relation at exact numbers, in the signs of print."""
    return re.sub(r">=|<=|!=", lambda match: _SIGNS[match[0]], text).replace("-", "−")


def _figured(text: str) -> str:
    """Arithmetic as it is written by hand: signs of print, a dot for times, ^ for powers."""
    return text.replace("**", "^").replace("*", "·").replace("-", "−")


def _decimals(text: str) -> str:
    """The same in decimals, in brackets, where fractions stand; "" elsewhere."""
    left, sign, right = text.split(" ")
    try:
        said = [number(float(Fraction(side)), 4) for side in (left, right)]
    except ValueError:  # a side is undefined
        return ""
    return f" ({said[0]} {_signs(sign)} {said[1]})" if "/" in left + right else ""
