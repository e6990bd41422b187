"""Small results to render, what the verbs return, made by hand; and a reader of pages."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

VOID = {"col", "meta", "img", "link", "br", "wbr", "input", "hr"}
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>'


class Page(HTMLParser):
    """Reads a page: its elements with attributes, its text, tags left open, and tags that close none."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.stray: list[str] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element and that it is open."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """An end tag closes the last open element."""
        if not self.open or self.open.pop() != tag:
            self.stray.append(tag)

    def handle_data(self, data: str) -> None:
        """Collect what is read."""
        self.text += data

    @property
    def ids(self) -> list[str | None]:
        """What can be linked to."""
        return [attributes["id"] for _, attributes in self.elements if "id" in attributes]

    @property
    def places(self) -> list[str]:
        """Where the links lead that stay on the page."""
        return [str(a["href"])[1:] for a in self.all("a") if (a.get("href") or "").startswith("#")]

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Attributes of every element of a kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def statement(id: str, **changes: Any) -> dict[str, Any]:
    """One statement's page."""
    return {
        "id": id,
        "paper": "key",
        "title": f"Title of {id}",
        "source": "eq. (1)",
        "kind": "bound",
        "claim_latex": r"\frac{1}{x} \le \theta",
        "definitions": [{"latex": r"\tilde\mu = \mu - \lambda", "source": ""}],
        "conditions": [{"label": "x > 0", "latex": "x > 0", "source": ""}],
        "symbols": [
            {"name": "x", "quantity": "x", "domain": "(0, inf)", "unit": "loss", "meaning": "a letter"}
        ],
        "assumptions": [{"id": "key.a1", "name": "losses are smooth", "latex": "L", "source": "A1"}],
        "uses": [],
        "note": "",
        "amends": None,
        "amended_by": [],
        **changes,
    }


def judgement(id: str, verdict: str, **changes: Any) -> dict[str, Any]:
    """One row of the audit's statements."""
    return {
        "id": id,
        "verdict": verdict,
        "because": ["z3"],
        "witness": None,
        "detail": "",
        "basis": {"steps": [], "cited": [], "needs": []},
        "instance": None,
        "counterexample": [],
        **changes,
    }


def line(id: str, verdict: str, **changes: Any) -> dict[str, Any]:
    """One row of the audit's steps."""
    return {
        "id": id, "paper": "key", "equation": f"eq. {id}", "claim": "", "claim_latex": r"a \le b",
        "verdict": verdict, "engines": ["z3", "cvc5"], "witness": None, "detail": "", "sides": None,
        "flaw": None, "repairs": None, "note": None, "part": None, "uses": [], **changes,
    }  # fmt: skip


def comparison(id: str, verdict: str, **changes: Any) -> dict[str, Any]:
    """One row of the validation."""
    return {
        "id": id,
        "verdict": verdict,
        "measured": 2.0,
        "bound": 5.0,
        "slack": 2.5,
        "seeds": 30,
        "confidence": 0.9999,
        "problem": "a quadratic",
        "detail": "In words.",
        **changes,
    }


def setting(where: str, admissible: bool) -> dict[str, Any]:
    """One row of the audit's settings."""
    return {
        "paper": "key",
        "where": where,
        "parameters": {"beta": "5"},
        "admissible": admissible,
        "violates": [] if admissible else ["beta > 3"],
    }


def trial(verdict: str) -> dict[str, Any]:
    """One run held against a statement."""
    return {
        "title": "A run", "command": "fedproof run", "problem": "data", "rounds": 2, "diverged": False,
        "metrics": {"loss": [2.0, 1.0], "squared_gradient": [2.0, 1.0]}, "mean_squared_gradient": 1.0,
        "verdict": verdict, "seen": {"sigma2": 30.5},
        "admits": {"sigma2": "the other values are admissible for sigma2 in [0, 1)"},
        "check": {"headline": "In words", "bound": 40.25, "id": "key.lemma1"},
    }  # fmt: skip


def results(folder: Path, **changes: Any) -> dict[str, Any]:
    """A whole document of a report, its one figure written to the folder."""
    (folder / "figures").mkdir(exist_ok=True)
    (folder / "figures" / "key.figure1.svg").write_text(SVG)
    document = {
        "papers": [
            {
                "key": "key", "title": "A paper", "authors": "Someone", "venue": "2020",
                "claimed": "It converges.", "algorithms": ["method"],
                "faults": [{"why": "A sign is lost", "ids": ["key.eq2", "key.eq3"]}],
            }
        ],
        "statements": [statement("key.lemma1"), statement("key.remark1")],
        "audit": {
            "headline": "2 statements",
            "statements": [
                judgement("key.lemma1", "holds"),
                judgement("key.remark1", "refuted", witness={"mu": "3/2"}, detail="3/2 > 1 at mu = 3/2."),
            ],
            "steps": [
                line("key.eq1", "proved", equation="eq. (1)"),
                line("key.eq2", "refuted", equation="eq. (2)", sides="4 > 2", note="A sign. More."),
                line("key.eq3", "refuted", equation="below (2)", sides="5 > 2", flaw="misprint"),
            ],
            "settings": [setting("Table 1", True), setting("Table 2", False)],
            "papers": [
                {
                    "key": "key", "title": "A paper", "authors": "Someone", "venue": "2020",
                    "assumptions": [{"id": "key.unsaid", "name": "clients draw apart, always"}],
                }
            ],
        },
        "validate": {
            "headline": "1 consistent",
            "results": [comparison("key.lemma1", "consistent"), comparison("key.theorem1", "inconclusive")],
        },
        "figures": [
            {
                "id": "key.figure1",
                "title": "A figure",
                "caption": "Claimed: up.\nSeen: up 3 times.\nAgreement: Yes, 3 of 3.\nChosen here: ten.",
                "files": [f"figures/key.figure1.{ending}" for ending in ("csv.xz", "json", "svg")],
            }
        ],
        "missing": [],
        "failed": [],
        "seconds": {"audit": 1.0},
        "versions": {"fedproof": "0.1.0", "python": "3.11"},
    }  # fmt: skip
    return document | changes
