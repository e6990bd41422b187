"""Drawings in fewer bytes that look the same: a tenth of a point, paths by differences, short names."""

from __future__ import annotations

import re
from collections.abc import Iterator

#: letters of a path as matplotlib writes it, and how many numbers each takes
_TAKES = {"M": 2, "L": 2, "Q": 4, "C": 6, "Z": 0}
_PIECE = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
_PATH = re.compile(r' d="([^"]*)"')
#: of letters side by side, in units of which a letter is some hundreds wide
_SHIFT = re.compile(r"translate\((\d+\.\d+) 0\)")
_GROUP = re.compile(r"(<g[^>]*)>((?:\s*<use [^>]*/>)+)(?=\s*</g>)")
_STYLE = re.compile(r' style="[^"]*"')
_PLACE = re.compile(r' (x|y)="(-?\d+\.\d+)"')
_USED = re.compile(r'(?:href="|url\()#([^")]+)')
_UNSEEN = re.compile(r"\s*(?:<metadata>.*?</metadata>|<!--.*?-->)", re.DOTALL)


def lighter(svg: str) -> str:
    """A drawing as matplotlib writes it, every place to a tenth of a point, without what nobody sees.

    >>> lighter('<path id="tick" d="M 1.2345 -0.25 \\nL 7 8.99 \\nz"/> <use x="0.04" xlink:href="#tick"/>')
    '<path id="a0" d="m1.2-.2 5.8 9.2z"/> <use x="0" href="#a0"/>'
    """
    said = _PATH.sub(lambda found: f' d="{_differences(found[1])}"', _UNSEEN.sub("", svg))
    said = _PLACE.sub(lambda found: f' {found[1]}="{_short(_tenths(found[2]))}"', said)
    said = re.sub(r'style="[^"]*"', lambda found: found[0].replace(": ", ":").replace("; ", ";"), said)
    said = _SHIFT.sub(lambda found: f"translate({round(float(found[1]))} 0)", said)
    return _GROUP.sub(_dressed, re.sub(r"\n\s+", "\n", _renamed(said.replace("xlink:href", "href"))))


def _differences(path: str) -> str:
    """A path with places relative to the one before, each of them rounded by itself; another stays as it is.

    >>> _differences("M 0 0 L 0.04 1 L 0.08 2 Q 1 1 2 2"), _differences("M 0 0 H 5")
    ('m0 0 0 1 .1 1q.9-1 1.9 0', 'M 0 0 H 5')
    """
    if set(re.findall(r"[A-Za-df-z]", path)) - set(_TAKES) - {"z"}:
        return path
    here = start = (0, 0)
    pieces, before = [], ""
    for letter, values in _segments(path):
        if letter == "Z":
            here, before = start, "z"
            pieces.append("z")
            continue
        words = [_short(value - here[place % 2]) for place, value in enumerate(values)]
        # after m, numbers without a letter are lines
        plain = letter.lower() == before
        pieces.append(("" if plain else letter.lower()) + _joined(words, apart=plain))
        here, before = (values[-2], values[-1]), "l" if letter == "M" else letter.lower()
        if letter == "M":
            start = here
    return "".join(pieces)


def _segments(path: str) -> Iterator[tuple[str, list[int]]]:
    """Each letter with its places in tenths of a point."""
    pieces, letter = _PIECE.findall(path), ""
    at = 0
    while at < len(pieces):
        if pieces[at].isalpha():
            letter, at = pieces[at].upper(), at + 1
        taken = _TAKES[letter]
        yield letter, [_tenths(number) for number in pieces[at : at + taken]]
        at += taken


def _joined(words: list[str], apart: bool) -> str:
    """Numbers with a space where no sign parts them."""
    said = [w if w.startswith("-") or (not place and not apart) else f" {w}" for place, w in enumerate(words)]
    return "".join(said)


def _tenths(number: str) -> int:
    return round(float(number) * 10)


def _short(tenths: int) -> str:
    """
    >>> _short(12), _short(-5), _short(30), _short(0)
    ('1.2', '-.5', '3', '0')
    """
    sign, (whole, part) = "-" * (tenths < 0), divmod(abs(tenths), 10)
    return f"{sign}{whole or ''}.{part}" if part else f"{sign}{whole}"


def _renamed(svg: str) -> str:
    """Short names for what is used by name, and none for what is not.

    >>> _renamed('<g id="axes_1"><path id="tick"/><use href="#tick"/></g>')
    '<g><path id="a0"/><use href="#a0"/></g>'
    """
    names = {name: f"a{number}" for number, name in enumerate(dict.fromkeys(_USED.findall(svg)))}

    def renamed(found: re.Match[str]) -> str:
        before, name, after = found.groups()
        if name in names:
            return f"{before}{names[name]}{after}"
        return "" if before == ' id="' else found[0]

    return re.sub(r'( id="|href="#|url\(#)([^")]+)("|\))', renamed, svg)


def _dressed(group: re.Match[str]) -> str:
    """A group of marks that look alike says so once.

    >>> alike = '<g><use href="#a" style="fill:red"/><use href="#b" style="fill:red"/></g>'
    >>> _GROUP.sub(_dressed, alike)
    '<g style="fill:red"><use href="#a"/><use href="#b"/></g>'
    """
    head, marks = group.groups()
    styles = _STYLE.findall(marks)
    alike = len(styles) == marks.count("<use ") > 1 and len(set(styles)) == 1 and "style=" not in head
    return f"{head}{styles[0]}>{_STYLE.sub('', marks)}" if alike else group[0]
