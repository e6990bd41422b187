"""Lighter drawings: the same lines at the same places."""

from __future__ import annotations

import re
from io import StringIO
from xml.etree import ElementTree

import numpy as np
import pytest

from fedproof.figures.style import blank, house_style
from fedproof.report.drawings import lighter

Points = list[tuple[float, float]]


@pytest.fixture(scope="module")
def drawn() -> str:
    """A drawing with lines, bands, marks, mathematics and a legend."""
    with house_style():
        figure = blank(4, 3)
        axes, x = figure.add_subplot(), np.linspace(0, 1, 40)
        axes.fill_between(x, np.exp(-x), np.exp(x), alpha=0.2)
        axes.plot(x, np.sin(9 * x), marker="o", label=r"$\sin 9x$")
        axes.scatter(x, x * x, label="squares")
        axes.set_title(r"$\frac{\beta}{L}$ <&> text")
        axes.legend()
        text = StringIO()
        figure.savefig(text, format="svg")
    return text.getvalue()


def places(path: str) -> Points:
    """The places of a path with absolute or relative pieces, read here anew."""
    takes = {"m": 1, "l": 1, "q": 2, "c": 3, "z": 0}
    pieces = re.findall(r"[a-zA-Z]|-?(?:\d+\.\d+|\d+\.?|\.\d+)", path)
    found: Points = []
    here, start, letter, at = (0.0, 0.0), (0.0, 0.0), "", 0
    while at < len(pieces):
        if pieces[at].isalpha():
            letter, at = pieces[at], at + 1
        first = here if letter.islower() else (0.0, 0.0)
        for _ in range(takes[letter.lower()]):
            here = (first[0] + float(pieces[at]), first[1] + float(pieces[at + 1]))
            found.append(here)
            at += 2
        if letter in "zZ":
            here = start
        if letter in "mM":
            start, letter = here, "l" if letter == "m" else "L"
    return found


def paths(svg: str) -> list[Points]:
    """Of every path, in order."""
    marks = ElementTree.fromstring(svg).iter()
    return [places(mark.attrib["d"]) for mark in marks if mark.tag.endswith("}path") and "d" in mark.attrib]


def test_every_path_is_where_it_was(drawn: str) -> None:
    """Each place is within a twentieth of a point of where it was, however long the path: nothing adds up."""
    before, after = paths(drawn), paths(lighter(drawn))

    assert [len(p) for p in after] == [len(p) for p in before]
    assert max(map(len, before)) > 70
    for old, new in zip(before, after, strict=True):
        assert np.allclose(old, new, rtol=0, atol=0.0501)


def test_it_takes_half_the_bytes_and_every_name_leads_somewhere(drawn: str) -> None:
    """What is used by name is there once, with the same look as before; the words of the picture stay."""
    light = lighter(drawn)
    used = re.findall(r'(?:href="|url\()#([^")]+)', light)
    there = re.findall(r' id="([^"]+)"', light)

    assert len(light) < 0.75 * len(drawn)
    assert set(used) == set(there)
    assert len(there) == len(set(there))
    looks = [re.sub(r"[ \n]", "", ";".join(re.findall(r'style="([^"]*)"', svg))) for svg in (drawn, light)]
    assert set(re.split(";", looks[1])) == set(re.split(";", looks[0]))


def test_another_kind_of_path_is_left_as_it_is() -> None:
    """A path with an arc, which matplotlib does not write, keeps every character."""
    arc = '<path d="M 1.234 0 A 1 1 0 0 0 2 2"/>'
    assert lighter(arc) == arc
