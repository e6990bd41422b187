"""A region as a file: a picture, the ends of its columns as a table, or a page with sliders."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from fedproof.bounds.region import AdmissibleRegion
from fedproof.bounds.region_grid import RegionGrid
from fedproof.figures.style import same_bytes
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.files import folder_for, write_whole

PICTURES = (".svg", ".png", ".pdf")
#: what would be other bytes each time
_UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def check_ending(path: Path, sliders: bool) -> None:
    """Whether a file's ending is one that regions, or regions under sliders, are written to.

    Raises: InputError.
    """
    ending, name = path.suffix.lower(), path.name or str(path)
    if sliders and ending != ".html":
        raise InputError("output", name, "a page .html, as there are sliders", "give one value each")
    if not sliders and ending not in (*PICTURES, ".csv"):
        cure = "give a symbol several values for a page" if ending == ".html" else "write -o region.svg"
        raise InputError("output", name, f"one of {', '.join((*PICTURES, '.csv'))}", cure)


def write_region(found: AdmissibleRegion | RegionGrid, path: Path) -> Path:
    """Write what was found as its file's ending says, all or nothing, in a folder that is made if missing.

    Arguments:
        found: a region for .svg, .png, .pdf and .csv; regions under sliders for .html.
        path: the file.

    Raises: InputError for another ending.
    """
    check_ending(path, isinstance(found, RegionGrid))
    folder_for(path.parent)
    ending = path.suffix.lower()
    if isinstance(found, RegionGrid):
        return found.save(path)
    if ending == ".csv":
        return write_whole(path, found.frame.to_csv(index=False).encode())
    buffer = BytesIO()
    figure: Any = found.plot().figure
    with same_bytes():
        figure.savefig(buffer, format=ending[1:], metadata=_UNDATED.get(ending))
    return write_whole(path, buffer.getvalue())
