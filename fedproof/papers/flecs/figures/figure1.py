"""FLECS-CGD, Fig. 1: objective and squared gradient by communicated bits, FLECS against FLECS-CGD."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fedproof.figures.caption import Caption
from fedproof.figures.spec import DEFAULT_CONTEXT, ComputeContext, Frame, Spec
from fedproof.papers.flecs.figures import _bits as bits
from fedproof.papers.flecs.figures import _comparison as comparison
from fedproof.papers.flecs.figures import _panels as panels
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SPEC = Spec(
    id="flecs.figure1",
    title="Objective and gradient of FLECS and FLECS-CGD by communicated bits, as for gisette and real-sim",
    source=Source("flecs", "Fig. 1, Section 5"),
    parameters=tuple(replace(p, default="digits") if p.name == "data" else p for p in bits.PARAMETERS),
    columns=bits.COLUMNS,
    axes=panels.AXES,
    toy=bits.TOY,
    brief=bits.BRIEF,
)


def compute(size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
    """A row for each run at some of its rounds, and at those where it first comes to a target."""
    return comparison.compute(size, context)


def draw(table: Frame) -> Figure:
    """Dashed FLECS, full FLECS-CGD, from dark to light by m; dotted DIANA."""
    return comparison.draw(table)


def caption(table: Frame) -> Caption:
    """The paper's claims counted in bits, each direction apart."""
    return comparison.caption(table)
