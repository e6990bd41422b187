"""What there is: papers with their statements, algorithms and figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fedproof.figures.catalog import figure_ids
from fedproof.vocabulary.papers import Paper, paper, papers
from fedproof.vocabulary.result import Result, Table


@dataclass(frozen=True)
class Listing(Result):
    """Papers and what each holds."""

    papers: tuple[Paper, ...]

    def to_dict(self) -> dict[str, Any]:
        """The contract's `list` document."""
        return {
            "papers": [
                p.facts
                | {
                    "statements": p.statements,
                    "algorithms": p.algorithms,
                    "figures": figure_ids(p.key),
                }
                for p in self.papers
            ]
        }

    @property
    def frame(self) -> Any:
        """Papers with what they hold, one a row, as a pandas table."""
        import pandas as pd

        rows = [{"paper": t.title.partition(":")[0], **row} for t in self.tables() for row in t.records]
        return pd.DataFrame(rows)

    def headline(self) -> str:
        """How much there is."""
        return f"{len(self.papers)} paper(s), {sum(len(p.statements) for p in self.papers)} statements"

    def tables(self) -> tuple[Table, ...]:
        """For each paper its statements, algorithms and figures, one a row."""
        return tuple(
            Table(
                "{key}: {title} ({authors}; {venue})".format(**p),
                ("kind", "name"),
                tuple(
                    (kind, name) for kind in ("statement", "algorithm", "figure") for name in p[f"{kind}s"]
                ),
            )
            for p in self.to_dict()["papers"]
        )


def list_papers(key: str | None = None) -> Listing:
    """All papers, or the one with this key.

    >>> list_papers("fedproxvr").to_dict()["papers"][0]["algorithms"]
    ('fedavg', 'fedprox', 'fedproxvr')
    """
    return Listing((paper(key),) if key is not None else tuple(papers().values()))
