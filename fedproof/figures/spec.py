"""What a figure file provides: a frozen description, a table, a drawing and a caption."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from fedproof.figures.caption import Caption
from fedproof.figures.parameters import Parameter, defaults
from fedproof.solvers.runs.stored_runs import DONE_NOW, RunSource
from fedproof.vocabulary.source import Source

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Frame: TypeAlias = Any
"""A pandas.DataFrame; its columns, known by name only, are beyond a type checker."""

Progress = Callable[[str], None]
"""Called with a note after each finished piece of work."""


def silent(_: str = "") -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class ComputeContext:
    """What a computation may use.

    Arguments:
        progress: called with a note after each finished piece of work.
        folder: where finished runs are kept, so that a killed computation goes on from them; None keeps none.
        workers: processes for runs; the numbers do not depend on it.
        scheduler: address of a Dask cluster for them, in place of workers.
        runs: where runs come from; they are done, or found in the folder, unless it is said otherwise.
    """

    progress: Progress = silent
    folder: Path | None = None
    workers: int | None = 1
    scheduler: str | None = None
    runs: RunSource = DONE_NOW


DEFAULT_CONTEXT = ComputeContext()
"""One process, nothing kept, nobody told."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a figure's table: its name, what it holds and the unit."""

    name: str
    meaning: str
    unit: str = "1"


def recorded(parameters: tuple[Parameter, ...], *names: str) -> tuple[Column, ...]:
    """The columns that repeat parameters in every row."""
    known = {p.name: p for p in parameters}
    return tuple(Column(name, known[name].help, known[name].unit) for name in names)


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis as the picture shows it.

    Arguments:
        label: what is drawn, as mathtext.
        scale: "log" or "linear".
    """

    label: str
    scale: str = "linear"


@dataclass(frozen=True)
class Spec:
    """What a figure is, before anything is computed.

    Arguments:
        id: `<key>.<module>`.
        title: one line.
        source: where the paper shows or discusses it.
        parameters: of `compute`; every choice that the paper leaves open is here.
        columns: of the table, in order.
        axes: by name.
        toy: parameters with which it computes at once, for tests.
        brief: what the report replaces, so that a page of many figures is made in minutes.
    """

    id: str
    title: str
    source: Source
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    axes: Mapping[str, Axis]
    toy: Mapping[str, Any]
    brief: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the table's columns."""
        return tuple(c.name for c in self.columns)

    @property
    def size(self) -> dict[str, Any]:
        """The default of every parameter."""
        return defaults(self.parameters)


class FigureModule(Protocol):
    """The public names of a figure's file; one of a single panel has `panel(axes, table)` too."""

    SPEC: Spec

    def compute(self, size: Mapping[str, Any], context: ComputeContext = DEFAULT_CONTEXT) -> Frame:
        """The figure's numbers: a table with the columns of `SPEC`."""

    def draw(self, table: Frame) -> Figure:
        """The picture, from the table alone; the table is left as it is."""

    def caption(self, table: Frame) -> Caption:
        """Every claim with what was measured and its word, and what was substituted; from the table."""
