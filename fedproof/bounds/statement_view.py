"""A statement as its page shows it: JSON for scripts, characters for terminals, LaTeX for notebooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fedproof.bounds import catalog
from fedproof.bounds.drawn_letters import drawer
from fedproof.bounds.statement import Statement
from fedproof.vocabulary.result import Result, Table, as_html


@dataclass(frozen=True)
class StatementView(Result):
    """A statement as its page shows it."""

    statement: Statement

    def to_dict(self) -> dict[str, Any]:
        """The contract's `show` document."""
        st = self.statement
        known = catalog.assumptions(st.paper)
        bound = getattr(st.claim, "expr", None) if st.claim.kind == "bound" else None
        return {
            "id": st.id,
            "title": st.title,
            "paper": st.paper,
            "source": st.source.where,
            "kind": st.claim.kind,
            "metric": getattr(st.claim, "metric", None),
            "claim_latex": st.claim_latex,
            "bound_latex": None if bound is None else st.tex(bound),
            "symbols": [
                {
                    "name": s.name,
                    "quantity": s.means,
                    "domain": str(s.domain),
                    "unit": s.quantity.unit,
                    "meaning": s.quantity.meaning,
                }
                for s in st.letters
            ],
            "definitions": [
                {"latex": f"{d.letter.latex} = {st.tex(d.expr)}", "source": d.source} for d in st.where
            ],
            "conditions": [
                {"label": c.label, "latex": st.tex(c.relation), "source": c.source} for c in st.conditions
            ],
            "eliminated": [
                {"name": c.letter.name, "latex": f"{c.letter.latex} = {st.tex(c.best)}", "why": c.why}
                for c in st.chosen
            ],
            "assumptions": [
                {
                    "id": known[a].id,
                    "name": known[a].name,
                    "latex": known[a].latex,
                    "source": known[a].source.where,
                    "condition": known[a].condition or None,
                }
                for a in st.assumptions
            ],
            "uses": st.uses,
            "note": st.note,
            "amends": st.amends,
            "amended_by": [s.id for s in catalog.statements(st.paper) if s.amends == st.id],
        }

    def headline(self) -> str:
        """Id and title."""
        return self.statement.headline()

    def tables(self) -> tuple[Table, ...]:
        """Claim, symbols, conditions and assumptions, with formulas drawn in characters."""
        return self._tables(drawer(self.statement.printed), str)

    def _tables(self, formula: Callable[[Any], Any], latex: Callable[[str], Any]) -> tuple[Table, ...]:
        st, known = self.statement, catalog.assumptions(self.statement.paper)
        rows = [
            ("claim", latex(st.claim_latex)),
            *((f"with {d.letter.name} =", formula(d.expr)) for d in st.where),
        ]
        for c in st.chosen:
            rows += [(f"with {c.letter.name} =", formula(c.best)), ("because", c.why)]
        rows += [("note", st.note)] if st.note else []
        symbols = ((s.name, s.means, str(s.domain), s.quantity.meaning) for s in st.letters)
        conditions = ((c.label, formula(c.relation), c.source) for c in st.conditions)
        assumptions = (known[a] for a in st.assumptions)
        assumed = ((a.name, latex(a.latex), a.source.where) for a in assumptions)
        tables = (
            Table("", ("", ""), tuple(rows)),
            Table("Symbols", ("name", "quantity", "domain", "meaning"), tuple(symbols)),
            Table("Conditions", ("label", "condition", "source"), tuple(conditions)),
            Table("Assumptions", ("assumption", "formula", "source"), tuple(assumed)),
        )
        return tuple(t for t in tables if t.rows)

    def _repr_html_(self) -> str:
        from fedproof.algebra.mathml import wrapping

        shown = self._tables(lambda expr: wrapping(self.statement.tex(expr)), wrapping)
        return as_html(self.headline(), shown)

    def _repr_latex_(self) -> str:
        return self.statement._repr_latex_()
