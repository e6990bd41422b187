"""Executed notebooks as pages: their text, code, outputs and pictures."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "notebooks"
OUTPUT = '<div class="output" data-search-exclude>'


def pages() -> dict[str, str | bytes]:
    """Markdown and pictures by file."""
    found: dict[str, str | bytes] = {}
    for path in sorted(FOLDER.glob("*.ipynb")):
        found |= page(path.stem, json.loads(path.read_text(encoding="utf-8")))
    return found


def page(name: str, notebook: Mapping[str, Any]) -> dict[str, str | bytes]:
    """The page of a notebook and its pictures.

    Arguments:
        name: of the file, without its ending.
        notebook: its JSON document.
    """
    lines: list[str] = []
    pictures: dict[str, str | bytes] = {}
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        lines += [source, ""] if cell["cell_type"] == "markdown" else ["```python", source, "```", ""]
        for output in cell.get("outputs", ()):
            lines += _output(output, name, pictures)
    lines += [f"[The notebook]({name}.ipynb), to run it in Jupyter.", ""]
    return {f"notebooks/{name}.md": "\n".join(lines), **pictures}


def _output(output: Mapping[str, Any], name: str, pictures: dict[str, str | bytes]) -> Iterator[str]:
    if output["output_type"] == "stream":
        said = "".join(output["text"]).rstrip()
        yield from (f"{OUTPUT[:-1]} markdown>", "", "```text", said, "```", "", "</div>")
    elif "image/png" in output["data"]:
        file = f"{name}-{len(pictures) + 1}.png"
        pictures[f"notebooks/{file}"] = base64.b64decode(output["data"]["image/png"])
        yield f"![Picture {len(pictures)} of {name}]({file})"
    elif "text/html" in output["data"]:
        shown = "".join(output["data"]["text/html"]).replace("\n", " ")
        yield f"{OUTPUT}{shown}</div>"
    else:
        plain = html.escape("".join(output["data"]["text/plain"]))
        yield f"{OUTPUT}<pre>{plain}</pre></div>"
    yield ""
