"""Long texts in few bytes: what programs read as PATH.xz, and what a page holds and its script unpacks."""

from __future__ import annotations

import lzma
import zlib
from base64 import b64encode
from pathlib import Path

from markupsafe import Markup

from fedproof.vocabulary.files import folder_for, write_whole

#: of what is mostly text, which has no period of four bytes; any program that reads .xz reads it
_TEXT = {"id": lzma.FILTER_LZMA2, "preset": 6, "nice_len": 128, "lc": 4, "pb": 0}
_LEAST, _MOST = 1 << 12, 1 << 26
_BEGIN, _TITLE, _END = '<main id="content">', "</h1>", "</main>"


def write_packed(path: Path, content: bytes) -> Path:
    """Write what people's programs read, packed, as PATH.xz; a file that holds just that is left.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     packed = write_packed(Path(folder) / "table.csv", b"n\\n1\\n")
    ...     packed.name, lzma.open(packed).read()
    ('table.csv.xz', b'n\\n1\\n')
    """
    place = path.with_name(f"{path.name}.xz")
    if place.is_file() and _unpacked(place) == content:
        return place
    memory = {"dict_size": min(max(len(content), _LEAST), _MOST)}
    return write_whole(
        folder_for(place.parent) / place.name, lzma.compress(content, filters=[{**_TEXT, **memory}])
    )


def _unpacked(place: Path) -> bytes | None:
    try:
        return lzma.decompress(place.read_bytes())
    except lzma.LZMAError:
        return None


def packed_page(page: str, instead: Markup) -> str:
    """A page whose content after its title is packed; `site.js` unpacks it before it does anything else.

    Arguments:
        page: with one `main` that has a title.
        instead: HTML that stands there until the rest is unpacked, and where that cannot be.

    >>> page = packed_page('<main id="content"><h1>A</h1><p>row</p></main>', Markup("see <code>B</code>"))
    >>> page[:61]
    '<main id="content"><h1>A</h1><p id="instead">see <code>B</cod'
    """
    head, begin, rest = page.partition(_BEGIN)
    title, end_of_title, content = rest.partition(_TITLE)
    content, end, tail = content.rpartition(_END)
    code = b64encode(zlib.compress(content.encode(), 9)).decode()
    script = f'<script id="packed" type="application/octet-stream">{code}</script>'
    shown = f'<p id="instead">{instead}</p>'
    return "".join((head, begin, title, end_of_title, shown, script, end, tail))
