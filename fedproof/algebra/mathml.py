"""LaTeX to MathML, which browsers draw without a network and screen readers can speak."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_DRAWN = frozenset({
    "math", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "mstyle",
    "mpadded", "mphantom", "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mtable",
    "mtr", "mtd",
})  # fmt: skip
_ATTRIBUTES = frozenset({
    "xmlns", "display", "stretchy", "fence", "form", "accent", "width", "linethickness", "displaystyle",
    "movablelimits", "lspace", "rspace", "minsize", "maxsize", "columnalign", "rowspacing", "largeop",
    "separator",
})  # fmt: skip

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|.", re.S)
_BREAKS = frozenset({r"\le", r"\ge", r"\ne", "=", "<", ">", "+", "-", r"\Rightarrow"})
_OPENS = frozenset({"{", "(", "[", r"\{", r"\langle", r"\left"})
_CLOSES = frozenset({"}", ")", "]", r"\}", r"\rangle", r"\right"})

#: Browsers draw double-struck letters by their own code points only.
_DOUBLE = {chr(65 + i): chr(0x1D538 + i) for i in range(26)} | dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))


@cache
def mathml(latex: str, small: bool = False, infix: bool = False) -> Markup:
    """A formula as MathML; where that cannot be had, its LaTeX as code.

    Arguments:
        latex: without dollar signs.
        small: whether fractions are set small and limits beside sums, as in running text.
        infix: whether a sign that it begins with stands between this and a part before it.

    Returns: markup that holds MathML elements and text only, whatever the input.

    >>> print(mathml("x"))  # doctest: +ELLIPSIS
    <math display="inline" xmlns="http://www.w3.org/1998/Math/MathML" displaystyle="true">...
    >>> print(mathml(r"\\unknown{<b>}"))
    <code>\\unknown{&lt;b&gt;}</code>
    """
    try:
        root = ElementTree.fromstring(convert(latex, display="inline" if small else "block"))
    except Exception:  # the converter's own errors have no common base
        return _plain(latex)
    for element in root.iter():
        name = element.tag.removeprefix(f"{{{_NAMESPACE}}}")
        if name not in _DRAWN or (element.text or "").startswith("\\"):
            return _plain(latex)
        element.tag = name
        if element.get("mathvariant") == "double-struck":
            element.text = "".join(_DOUBLE.get(c, c) for c in element.text or "")
        for attribute in set(element.attrib) - _ATTRIBUTES:
            del element.attrib[attribute]
    first = root.find("mrow/*")
    if infix and first is not None and first.tag == "mo":
        first.set("form", "infix")
    root.set("xmlns", _NAMESPACE)
    root.set("display", "inline")
    root.set("displaystyle", "false" if small else "true")
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def wrapping(latex: str) -> Markup:
    """A formula as MathML that a narrow page may break before its relations, sums and differences.

    >>> wrapping("a+b").count("<wbr>")
    1
    """
    drawn = [mathml(piece, infix=place > 0) for place, piece in enumerate(pieces(latex))]
    if any(not piece.startswith("<math") for piece in drawn):
        return mathml(latex)
    return Markup("<wbr>").join(drawn)


def pieces(latex: str) -> Iterator[str]:
    r"""The parts between which a formula may be broken; joined they are the formula.

    >>> list(pieces(r"\|x-y\|^{2} \le -a+\left(b+c\right),\quad t=1"))
    ['\\|x-y\\|^{2} ', '\\le -a', '+\\left(b+c\\right),\\quad t=1']
    """
    waiting, ended, depth = "", False, list[str]()
    for token in _TOKEN.findall(latex):
        before = waiting.rstrip()
        whole = before and before not in _BREAKS and not before.endswith(tuple(_BREAKS))
        if token in _BREAKS and not depth and whole and not ended:
            yield waiting
            waiting = ""
        ended = ended or (token == r"\quad" and not depth)
        _nest(token, depth)
        waiting += token
    if waiting:
        yield waiting


def _nest(token: str, depth: list[str]) -> None:
    """Go into or out of brackets; what follows \\left or \\right is part of it."""
    if depth and depth[-1] in (r"\left", "end"):
        depth[-1:] = ["delimited"] if depth[-1] == r"\left" else []
    elif token == r"\|" and depth and depth[-1] == r"\|":
        depth.pop()
    elif token in _OPENS or token == r"\|":
        depth.append(token)
    elif token in _CLOSES and depth:
        depth[-1:] = ["end"] if token == r"\right" else []


def _plain(latex: str) -> Markup:
    return Markup("<code>{}</code>").format(latex)
