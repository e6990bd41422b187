"""Cells and tables of the page; everything that comes from a result is escaped here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from fedproof.figures.number_format import number
from fedproof.report.verdict_words import tone
from fedproof.vocabulary.result import cell

_SIGNS = {"good": "✓", "bad": "✗", "warn": "?", "none": "–"}


def badge(word: str) -> Markup:
    """A verdict with a sign, so that colour is not needed to read it.

    >>> badge("holds")
    Markup('<span class="badge good"><span aria-hidden="true">✓</span> holds</span>')
    """
    kind = tone(word)
    sign = Markup('<span aria-hidden="true">{}</span>').format(_SIGNS[kind])
    return Markup('<span class="badge {}">{} {}</span>').format(kind, sign, word)


def code(text: object) -> Markup:
    """Text as code; a name may break after its dots.

    >>> code("a<b"), code("key.theorem1")
    (Markup('<code>a&lt;b</code>'), Markup('<code>key.<wbr>theorem1</code>'))
    """
    inner = escape(text)
    return Markup("<code>{}</code>").format(inner if " " in inner else inner.replace(".", Markup(".<wbr>")))


def tex(latex: str) -> Markup:
    """A formula as LaTeX that the page's script draws; without it the LaTeX is read.

    >>> tex("a < b")
    Markup('<span class="tex">a &lt; b</span>')
    """
    return Markup('<span class="tex">{}</span>').format(latex)


def display(latex: str) -> Markup:
    """A formula on lines of its own, with a button that copies its LaTeX."""
    return Markup('<div class="formula">{}</div>').format(tex(latex))


def small(text: object) -> Markup:
    """An aside."""
    return Markup('<span class="small">{}</span>').format(text) if text else Markup("")


def link(href: str, text: object) -> Markup:
    """A link."""
    return Markup('<a href="{}">{}</a>').format(href, text)


def prose(text: str) -> Markup:
    """A sentence of a result, what stands between backticks as code.

    >>> prose("see `a<b` & c")
    Markup('see <code>a&lt;b</code> &amp; c')
    """
    pieces = enumerate(text.split("`"))
    return Markup("").join(code(piece) if place % 2 else escape(piece) for place, piece in pieces)


def shown(value: Any) -> str:
    """A number to four digits, anything else in words; nothing for a missing value.

    >>> shown(0.123456), shown(None), shown(True), shown([1, "a"])
    ('0.1235', '–', 'yes', '1, a')
    """
    if value is None or value == []:
        return "–"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value, 4)
    if isinstance(value, Mapping):
        return ", ".join(f"{k} = {shown(v)}" for k, v in value.items())
    return (
        ", ".join(map(shown, value))
        if isinstance(value, Sequence) and not isinstance(value, str)
        else cell(value)
    )


def ratio(value: float | None) -> str:
    """A ratio with the digits that say on which side of 1 it is, and by how much.

    >>> ratio(1.000002), ratio(0.99994), ratio(23.8235), ratio(1.0), ratio(3.104), ratio(None)
    ('1.000002', '0.99994', '23.8', '1', '3.1', '–')
    """
    if value is None:
        return "–"
    apart = abs(value - 1)
    near = 0 < apart < 0.1
    return number(value, 1 - math.floor(math.log10(apart)) if near else 3)


def share(measured: float | None, bound: float | None, lower: bool = False) -> Markup:
    """A bar: how much of a bound was used, full where it was reached; empty where a number is missing."""
    if measured is None or bound is None or min(measured, bound) <= 0:
        return Markup("")
    used = bound / measured if lower else measured / bound
    over = " over" if used > 1 else ""
    said = f"{number(100 * used, 3)} % of the bound"
    bar = '<span class="share{}" role="img" aria-label="{}"><i style="width:{}%"></i></span>'
    return Markup(bar).format(over, said, round(min(100 * used, 100), 1))


def interval(ends: Sequence[float | None], is_open: Sequence[bool]) -> str:
    """An interval from the JSON of `range`.

    >>> interval([1.0, None], [False, True])
    '[1, ∞)'
    """
    low = "−∞" if ends[0] is None else number(ends[0], 6)
    high = "∞" if ends[1] is None else number(ends[1], 6)
    left, right = "(" if is_open[0] or ends[0] is None else "[", ")" if is_open[1] or ends[1] is None else "]"
    return f"{left}{low}, {high}{right}"


def stacked(lines: Iterable[Any]) -> Markup:
    """Lines under each other in one cell, empty ones left out."""
    return Markup("").join(Markup("<div>{}</div>").format(line) for line in lines if escape(line))
