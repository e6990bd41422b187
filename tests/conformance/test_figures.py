"""What every figure keeps: it loads, its toy table is as described, and its caption renders from that."""

from __future__ import annotations

from typing import Any

from fedproof.bounds import catalog
from fedproof.figures.catalog import figure_ids
from tests.conformance.parts import Part


def test_it_computes_and_speaks(figure: Part) -> None:
    """Its id is its file's, its table has the columns it declares, and its caption is whole sentences."""
    module = figure.load()
    spec: Any = module.SPEC
    table = module.compute({**spec.size, **spec.toy})
    caption = str(module.caption(table))

    assert (spec.id, spec.source.paper) == (figure.id, figure.id.partition(".")[0])
    assert tuple(table.columns) == spec.names
    assert len(table) > 0
    assert set(spec.toy) | set(spec.brief) <= set(spec.size)
    assert all(": " in line and line.endswith((".", ")")) for line in caption.splitlines())
    assert "nan" not in caption


def test_what_a_report_of_runs_names_is_a_figure() -> None:
    """A statement that says which figure looks at it names one that there is."""
    named = {getattr(s.claim, "figure", "") for s in catalog.statements() if s.claim.kind == "reported"}

    assert named - {"", None} <= set(figure_ids())
