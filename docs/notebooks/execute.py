"""Run the cells of a notebook and write their outputs into it: python docs/notebooks/execute.py FILE..."""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib

Cell = dict[str, Any]
_DPI = 90


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """A notebook with the outputs of its cells, which are run in order in one namespace.

    What a cell prints, the value of its last line where no semicolon ends it, and the figures of pyplot that
    it leaves open are its outputs, as Jupyter has them.

    Arguments:
        notebook: the JSON document of an .ipynb file.

    Raises: whatever a cell raises.
    """
    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.close("all")
    space: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = list(_outputs("".join(cell["source"]), space, count))
            cell = {**cell, "execution_count": count, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}


def _outputs(source: str, space: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """The outputs of one cell."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        value = _run(source, space)
    if printed.getvalue():
        yield {
            "output_type": "stream",
            "name": "stdout",
            "text": printed.getvalue().splitlines(keepends=True),
        }
    if value is not None and not source.rstrip().endswith(";"):
        yield {
            "output_type": "execute_result",
            "execution_count": count,
            "metadata": {},
            "data": _shown(value),
        }
    from matplotlib import pyplot

    for number in pyplot.get_fignums():
        buffer = io.BytesIO()
        pyplot.figure(number).savefig(buffer, format="png", dpi=_DPI, metadata={"Software": None})
        data = {"image/png": base64.b64encode(buffer.getvalue()).decode(), "text/plain": ["<Figure>"]}
        yield {"output_type": "display_data", "metadata": {}, "data": data}
    pyplot.close("all")


def _run(source: str, space: dict[str, Any]) -> Any:
    """Run a cell; the value of its last line where that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), space)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)


def _shown(value: Any) -> dict[str, list[str]]:
    """A value as text, and as HTML where it knows how."""
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    plain = value.headline() if callable(getattr(value, "headline", None)) else repr(value)
    found = {"text/plain": plain.splitlines(keepends=True)}
    return found if html is None else {"text/html": html.splitlines(keepends=True), **found}


def main(names: list[str]) -> None:
    """Run the notebooks of these names in place."""
    for name in names:
        path = Path(name)
        done = executed(json.loads(path.read_text(encoding="utf-8")))
        path.write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
