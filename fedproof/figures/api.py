"""The verb `figure`: compute or reread a table, draw it, and write table, provenance and pictures."""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import os
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fedproof.figures.caption import Caption
from fedproof.figures.catalog import load
from fedproof.figures.files import read_table
from fedproof.figures.parameters import Parameter, read_parameters
from fedproof.figures.spec import ComputeContext, FigureModule, Frame, Progress, Spec, silent
from fedproof.solvers.runs.stored_runs import DONE_NOW, RunSource
from fedproof.vocabulary.discovery import version_of
from fedproof.vocabulary.errors import DataError, InputError, UnknownName
from fedproof.vocabulary.files import folder_for, write_whole
from fedproof.vocabulary.result import Result, Table, to_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("svg", "png")
"""Of the pictures that are written if nothing else is asked for."""
_SAVED: Mapping[str, Mapping[str, Any]] = {
    "svg": {"metadata": {"Date": None}},
    "png": {"dpi": 200},
    "pdf": {"metadata": {"CreationDate": None}},
}
_LIBRARIES = ("matplotlib", "numpy", "pandas", "scikit-learn", "scipy", "sympy")


@dataclass(frozen=True)
class FigureFiles(Result):
    """A figure on disk.

    Arguments:
        id, title: which figure.
        folder: where its files lie.
        claims: the caption as data.
        parameters: what the table was computed with.
        seconds: by stage.
        formats: of its pictures.
    """

    id: str
    title: str
    folder: Path
    claims: Caption
    parameters: Mapping[str, Any]
    seconds: Mapping[str, float]
    formats: tuple[str, ...] = FORMATS

    @property
    def caption(self) -> str:
        """The caption's labelled lines: agreement, every claim, what was substituted."""
        return str(self.claims)

    def path(self, ending: str) -> Path:
        """The file with this ending: csv, json or a picture's."""
        return self.folder / f"{self.id}.{ending}"

    @property
    def frame(self) -> Frame:
        """The table, read from the CSV."""
        return read_table(self.path("csv"))

    def to_dict(self) -> dict[str, Any]:
        """The contract's `figure` document."""
        return {
            "files": [str(self.path(ending)) for ending in ("csv", "json", *self.formats)],
            "table": str(self.path("csv")),
            "id": self.id,
            "title": self.title,
            "caption": self.caption,
            **self.claims.to_dict(),
            "parameters": dict(self.parameters),
            "seconds": dict(self.seconds),
        }

    def headline(self) -> str:
        """Which figure went where."""
        return f"{self.id}: {self.title} ({self.path((*self.formats, 'csv')[0])})"

    def tables(self) -> tuple[Table, ...]:
        """The caption, then the files."""
        caption = tuple(tuple(line.split(": ", 1)) for line in self.caption.splitlines())
        files = tuple((file,) for file in self.to_dict()["files"])
        return Table("", ("", ""), caption), Table("", ("file",), files)

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{html.escape(line)}</p>" for line in self.caption.splitlines())
        kind = next((f for f in ("png", "svg") if f in self.formats), None)
        if kind is None:
            return lines
        data = base64.b64encode(self.path(kind).read_bytes()).decode()
        mime = {"png": "png", "svg": "svg+xml"}[kind]
        image = f"<img alt='{html.escape(self.title)}' src='data:image/{mime};base64,{data}' width='720'>"
        return f"<figure>{image}<figcaption>{lines}</figcaption></figure>"


@dataclass(frozen=True)
class FigureParameters(Result):
    """What a figure's computation takes."""

    id: str
    title: str
    parameters: tuple[Parameter, ...]

    def to_dict(self) -> dict[str, Any]:
        """Every parameter with its default, what may be typed and a line of help."""
        rows = [
            {"name": p.name, "default": p.default, "expected": p.expects, "help": p.help}
            for p in self.parameters
        ]
        return {"id": self.id, "title": self.title, "parameters": rows}

    def headline(self) -> str:
        """Which figure's they are."""
        return f"Parameters of {self.id}: {self.title}"

    def tables(self) -> tuple[Table, ...]:
        """One parameter a row."""
        rows = tuple((f"{p.name}={p.text}", p.help, p.expects) for p in self.parameters)
        return (Table("", ("name=default", "meaning", "expected"), rows),)


def figure_parameters(id: str) -> FigureParameters:
    """The parameters that a figure's computation takes.

    Arguments:
        id: of the figure.

    >>> figure_parameters("fedproxvr.figure1").parameters[-1].text
    '200'
    """
    spec = load(id).SPEC
    return FigureParameters(id, spec.title, spec.parameters)


def figure(
    id: str,
    output: str | os.PathLike[str] = ".",
    *,
    reuse: bool = False,
    size: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    fmt: str | Sequence[str] = FORMATS,
    ax: Axes | None = None,
) -> FigureFiles:
    """Make one of the papers' figures: CSV, JSON provenance and pictures.

    Arguments:
        id: `<key>.<figure>`, such as "fedproxvr.figure1".
        output: folder to write to, made if missing.
        reuse: draw from the CSV that lies there, if there is one, without computing again.
        size: parameters of the computation that replace the figure's own, as numbers or as text.
        progress: called with a note as the computation goes on.
        workers: processes that share its runs; by default one for each of the machine's cores. Finished runs
            are kept in the folder `<id>.runs` beside the picture: a killed computation goes on from them.
        scheduler: address of a Dask cluster that does its runs instead, such as tcp://192.0.2.1:8786.
        fmt: "svg", "png", "pdf" or several of them.
        ax: axes of Matplotlib to draw into, for a figure of a single panel; then no picture is written.

    Returns: the files, the caption and the seconds it took.
    Raises: UnknownName for an unknown id, parameter or format; InputError; DataError for a CSV of another
        figure.

    >>> figure("fedproxvr.figur1")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    fedproof.vocabulary.errors.UnknownName: figure: got fedproxvr.figur1, ... did you mean fedproxvr.figure1?
    """
    return figure_from(
        DONE_NOW, id, output, reuse=reuse, size=size, progress=progress, workers=workers, scheduler=scheduler,
        fmt=fmt, ax=ax,
    )  # fmt: skip


def figure_from(
    runs: RunSource,
    id: str,
    output: str | os.PathLike[str] = ".",
    *,
    reuse: bool = False,
    size: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    fmt: str | Sequence[str] = FORMATS,
    ax: Axes | None = None,
) -> FigureFiles:
    """As `figure`, its runs from a source of them.

    Arguments:
        runs: where they come from; what they do again is not read from a folder of earlier runs.
        id, output, reuse, size, progress, workers, scheduler, fmt, ax: as of `figure`.
    """
    module = load(id)
    formats = _formats(fmt) if ax is None else ()
    draw_into = None if ax is None else _panel(module)
    parameters = read_parameters(id, module.SPEC.parameters, size or {})
    folder = folder_for(output)
    file = folder / f"{id}.csv"
    start = time.perf_counter()
    again = reuse and file.exists()
    if again:
        if size:
            raise InputError(next(iter(size)), "a value, and reuse", "one of them",
                             "the table is already computed: leave one out")  # fmt: skip
        table = _checked(read_table(file), module.SPEC, str(file))
        parameters = _recorded(folder / f"{id}.json", file)
    else:
        processes = workers or (os.cpu_count() or 1 if scheduler is None else None)
        kept = folder / f"{id}.runs" if runs is DONE_NOW else None
        context = ComputeContext(progress or silent, kept, processes, scheduler, runs)
        table = _checked(module.compute(parameters, context), module.SPEC, id)
        write_whole(file, table.to_csv(index=False, lineterminator="\n").encode())
    computed = time.perf_counter()
    caption = module.caption(table)
    if draw_into is not None:
        draw_into(ax, table)
    for ending, content in _pictures(module, table, formats).items():
        write_whole(folder / f"{id}.{ending}", content)
    seconds = {"compute": 0.0 if again else computed - start, "draw": time.perf_counter() - computed}
    made = FigureFiles(id, module.SPEC.title, folder, caption, parameters, seconds, formats)
    write_whole(made.path("json"), to_json(_provenance(module.SPEC, made, file)).encode())
    return made


def _formats(fmt: str | Sequence[str]) -> tuple[str, ...]:
    chosen = tuple(part.strip() for part in fmt.split(",")) if isinstance(fmt, str) else tuple(fmt)
    for one in chosen:
        if one not in _SAVED:
            raise UnknownName("fmt", one, _SAVED)
    return chosen


def _panel(module: FigureModule) -> Callable[[Any, Frame], Any]:
    """What draws a figure of a single panel into given axes."""
    found: Callable[[Any, Frame], Any] | None = getattr(module, "panel", None)
    if found is None:
        raise InputError("ax", module.SPEC.id, "a figure of a single panel", "leave ax out")
    return found


def _checked(table: Frame, spec: Spec, what: str) -> Frame:
    if tuple(table.columns) != spec.names:
        got = ", ".join(map(str, table.columns))
        raise DataError(what, got, f"the columns {', '.join(spec.names)}", "run without reuse")
    return table


def _recorded(provenance: Path, table: Path) -> dict[str, Any]:
    """The parameters that the provenance beside a CSV records, if it was written for this one."""
    cure = "run without reuse"
    try:
        found = json.loads(provenance.read_text(encoding="utf-8"))
        parameters, digest = dict(found["parameters"]), found["table"]["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError(str(provenance), "no provenance", "the record written beside the CSV", cure) from None
    if digest != hashlib.sha256(table.read_bytes()).hexdigest():
        raise DataError(str(table), "a table that was changed since", "the one that was computed", cure)
    return parameters


def _pictures(module: FigureModule, table: Frame, formats: tuple[str, ...]) -> dict[str, bytes]:
    from fedproof.figures.style import house_style

    if not formats:
        return {}
    found: dict[str, bytes] = {}
    with house_style():
        picture = module.draw(table)
        for ending in formats:
            buffer = io.BytesIO()
            picture.savefig(buffer, format=ending, **_SAVED[ending])
            found[ending] = buffer.getvalue()
    return found


def _provenance(spec: Spec, made: FigureFiles, table: Path) -> dict[str, Any]:
    """What another person needs to trust the picture, without a path of this machine."""
    return {
        "id": spec.id,
        "title": spec.title,
        "source": str(spec.source),
        "caption": made.caption.splitlines(),
        **made.claims.to_dict(),
        "parameters": {name: _nameless(value) for name, value in made.parameters.items()},
        "columns": [{"name": c.name, "meaning": c.meaning, "unit": c.unit} for c in spec.columns],
        "table": {"file": table.name, "sha256": hashlib.sha256(table.read_bytes()).hexdigest()},
        "seconds": dict(made.seconds),
        "versions": versions(),
    }


def _nameless(value: Any) -> Any:
    """A parameter without the folders of a file that it names."""
    if isinstance(value, (list, tuple)):
        return [_nameless(part) for part in value]
    return Path(value).name if isinstance(value, str) and os.sep in value else value


def versions() -> dict[str, str | None]:
    """What the numbers were computed with."""
    ours = {"fedproof": version_of("fedproof"), "python": platform.python_version()}
    return ours | {name: version_of(name) for name in _LIBRARIES}
