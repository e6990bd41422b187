"""The verb `figure`: compute or reread a table, draw it, and write table, provenance and pictures."""

from __future__ import annotations

import hashlib
import io
import os
import platform
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from fedproof.figures.catalog import load
from fedproof.figures.figure_parameters import read_size
from fedproof.figures.files import read_table
from fedproof.figures.spec import ComputeContext, FigureModule, Frame, Progress, Spec, silent
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.files import folder_for, write_whole
from fedproof.vocabulary.result import Result, Table, to_json

_LIBRARIES = ("matplotlib", "numpy", "pandas", "scikit-learn", "scipy", "sympy")


@dataclass(frozen=True)
class FigureFiles(Result):
    """A figure on disk.

    Arguments:
        id, title: which figure.
        folder: where its files lie.
        caption: four labelled lines: claimed, seen, agreement, chosen here.
        parameters: what the table was computed with.
        seconds: by stage.
    """

    id: str
    title: str
    folder: Path
    caption: str
    parameters: Mapping[str, Any]
    seconds: Mapping[str, float]

    def path(self, ending: str) -> Path:
        """The file with this ending: csv, json, svg or png."""
        return self.folder / f"{self.id}.{ending}"

    @property
    def frame(self) -> Frame:
        """The table, read from the CSV."""
        return read_table(self.path("csv"))

    def to_dict(self) -> dict[str, Any]:
        """The contract's `figure` document."""
        return {
            "files": [str(self.path(ending)) for ending in ("csv", "json", "svg", "png")],
            "table": str(self.path("csv")),
            "id": self.id,
            "title": self.title,
            "caption": self.caption,
            "parameters": dict(self.parameters),
            "seconds": dict(self.seconds),
        }

    def headline(self) -> str:
        """Which figure went where."""
        return f"{self.id}: {self.title} ({self.path('svg')})"

    def tables(self) -> tuple[Table, ...]:
        """The caption, then the files."""
        caption = tuple(tuple(line.split(": ", 1)) for line in self.caption.splitlines())
        files = tuple((file,) for file in self.to_dict()["files"])
        return Table("", ("", ""), caption), Table("", ("file",), files)

    def _repr_html_(self) -> str:
        import base64
        import html

        data = base64.b64encode(self.path("png").read_bytes()).decode()
        lines = "".join(f"<p>{html.escape(line)}</p>" for line in self.caption.splitlines())
        image = f"<img alt='{html.escape(self.title)}' src='data:image/png;base64,{data}' width='720'>"
        return f"<figure>{image}<figcaption>{lines}</figcaption></figure>"


def figure(
    id: str,
    output: str | os.PathLike[str] = ".",
    *,
    reuse: bool = False,
    size: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    workers: int | None = None,
) -> FigureFiles:
    """Make one of the papers' figures: CSV, JSON provenance, SVG and PNG.

    Arguments:
        id: `<key>.<figure>`, such as "fedproxvr.figure1".
        output: folder to write to, made if missing.
        reuse: draw from the CSV that lies there, if there is one, without computing again.
        size: parameters of the computation that replace the figure's own, as numbers or as text.
        progress: called with a note as the computation goes on.
        workers: processes that share its runs; by default one for each of the machine's cores. Finished runs
            are kept in the folder `<id>.runs` beside the picture: a killed computation goes on from them.

    Returns: the files, the caption and the seconds it took.
    Raises: UnknownName for an unknown id or parameter; InputError; DataError for a CSV of another figure.

    >>> figure("fedproxvr.figur1")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    fedproof.vocabulary.errors.UnknownName: figure: got fedproxvr.figur1, ... did you mean fedproxvr.figure1?
    """
    module = load(id)
    folder = folder_for(output)
    parameters = read_size(module.SPEC, size or {})
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
        context = ComputeContext(progress or silent, folder / f"{id}.runs", workers or os.cpu_count() or 1)
        table = _checked(module.compute(parameters, context), module.SPEC, id)
        write_whole(file, table.to_csv(index=False, lineterminator="\n").encode())
    computed = time.perf_counter()
    caption = module.caption(table)
    pictures = _pictures(module, table)
    for ending, content in pictures.items():
        write_whole(folder / f"{id}.{ending}", content)
    seconds = {"compute": 0.0 if again else computed - start, "draw": time.perf_counter() - computed}
    made = FigureFiles(id, module.SPEC.title, folder, caption, parameters, seconds)
    write_whole(made.path("json"), to_json(_provenance(module.SPEC, made, file)).encode())
    return made


def _checked(table: Frame, spec: Spec, what: str) -> Frame:
    if tuple(table.columns) != spec.names:
        got = ", ".join(map(str, table.columns))
        raise DataError(what, got, f"the columns {', '.join(spec.names)}", "run without reuse")
    return table


def _recorded(provenance: Path, table: Path) -> dict[str, Any]:
    """The parameters that the provenance beside a CSV records.

    Raises: DataError if there is none, or the CSV is not the one it was written for.
    """
    import json

    cure = "run without reuse"
    try:
        found = json.loads(provenance.read_text(encoding="utf-8"))
        parameters, digest = dict(found["parameters"]), found["table"]["sha256"]
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError(str(provenance), "no provenance", "the record written beside the CSV", cure) from None
    if digest != hashlib.sha256(table.read_bytes()).hexdigest():
        raise DataError(str(table), "a table that was changed since", "the one that was computed", cure)
    return parameters


def _pictures(module: FigureModule, table: Frame) -> dict[str, bytes]:
    from fedproof.figures.style import house_style

    picture = module.draw(table)
    found: dict[str, bytes] = {}
    with house_style():
        for ending, options in (("svg", {"metadata": {"Date": None}}), ("png", {"dpi": 200})):
            buffer = io.BytesIO()
            picture.savefig(buffer, format=ending, **options)
            found[ending] = buffer.getvalue()
    picture.clear()
    return found


def _provenance(spec: Spec, made: FigureFiles, table: Path) -> dict[str, Any]:
    """What another person needs to trust the picture, without a path of this machine."""
    return {
        "id": spec.id,
        "title": spec.title,
        "source": str(spec.source),
        "claims": spec.claims,
        "caption": made.caption.splitlines(),
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
    ours = {"fedproof": _version("fedproof"), "python": platform.python_version()}
    return ours | {name: _version(name) for name in _LIBRARIES}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
