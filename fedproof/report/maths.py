"""LaTeX to MathML, which browsers draw without a network and screen readers can speak."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup

__all__ = ["mathml"]

_NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_DRAWN = frozenset(
    {
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "ms",
        "mtext",
        "mspace",
        "mfrac",
        "msqrt",
        "mroot",
        "mstyle",
        "mpadded",
        "mphantom",
        "menclose",
        "msub",
        "msup",
        "msubsup",
        "munder",
        "mover",
        "munderover",
        "mtable",
        "mtr",
        "mtd",
    }
)
_ATTRIBUTES = frozenset(
    {
        "xmlns",
        "display",
        "stretchy",
        "fence",
        "form",
        "accent",
        "width",
        "linethickness",
        "displaystyle",
        "movablelimits",
        "lspace",
        "rspace",
        "minsize",
        "maxsize",
        "columnalign",
        "rowspacing",
        "largeop",
        "separator",
    }
)

#: Browsers draw double-struck letters by their own code points only.
_DOUBLE = {chr(65 + i): chr(0x1D538 + i) for i in range(26)} | dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True))


@cache
def mathml(latex: str, small: bool = False) -> Markup:
    """A formula as MathML; where that cannot be had, its LaTeX as code.

    Arguments:
        latex: without dollar signs.
        small: whether fractions are set small and limits beside sums, as in running text.

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
    root.set("xmlns", _NAMESPACE)
    root.set("display", "inline")
    root.set("displaystyle", "false" if small else "true")
    return Markup(ElementTree.tostring(root, encoding="unicode"))


def _plain(latex: str) -> Markup:
    return Markup("<code>{}</code>").format(latex)
