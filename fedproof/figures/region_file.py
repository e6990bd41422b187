"""A region as a file: a picture, the ends of its columns as a table, or a page with sliders."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from fedproof.bounds.region import AdmissibleRegion
from fedproof.bounds.region_grid import RegionGrid
from fedproof.figures.style import same_bytes
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.files import write_whole

PICTURES = (".svg", ".png", ".pdf")
#: what would be other bytes each time
_UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def write_region(found: AdmissibleRegion | RegionGrid, path: Path) -> Path:
    """Write what was found as its file's ending says, all or nothing.

    Arguments:
        found: a region for .svg, .png, .pdf and .csv; regions under sliders for .html.
        path: the file.

    Raises: InputError for another ending.
    """
    ending = path.suffix.lower()
    if isinstance(found, RegionGrid):
        if ending != ".html":
            raise InputError("output", path.name, "a page .html, as there are sliders", "give one value each")
        return found.save(path)
    if ending == ".csv":
        return write_whole(path, found.frame.to_csv(index=False).encode())
    if ending not in PICTURES:
        cure = "give a symbol several values for a page" if ending == ".html" else "write -o region.svg"
        raise InputError("output", path.name, f"one of {', '.join((*PICTURES, '.csv'))}", cure)
    buffer = BytesIO()
    figure: Any = found.plot().figure
    with same_bytes():
        figure.savefig(buffer, format=ending[1:], metadata=_UNDATED.get(ending))
    return write_whole(path, buffer.getvalue())
