"""LaTeX as MathML: what is drawn, what is left as code, and where a formula may be broken."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from fedproof.algebra.mathml import mathml, pieces, wrapping


@pytest.mark.parametrize(
    "latex", [r"\frac{a}{b}", r"\sqrt{x}", r"\mathbb E \|x\|^2", r"\max\left(a, b\right)"]
)
def test_a_formula_is_well_formed_markup(latex: str) -> None:
    """What is drawn is one element, of names that browsers know, with no command left in it."""
    drawn = ElementTree.fromstring(mathml(latex))

    assert drawn.tag.endswith("math")
    assert "\\" not in "".join(drawn.itertext())


@pytest.mark.parametrize("latex", [r"\unknown{<script>}", "{"])
def test_what_cannot_be_drawn_is_code_and_harmless(latex: str) -> None:
    """Commands that are unknown or do more than draw stand as escaped text."""
    shown = mathml(latex)

    assert shown.startswith("<code>")
    assert "<script" not in shown


@pytest.mark.parametrize("parts", [
    ["a"],
    ["a ", r"+ \left(b + c\right) ", r"\le \frac{d + e}{f} ", "- g"],
    ["-a ", "= -b"],
    [r"\|x - y\|^{2} ", r"+ \left(a + b\right) c"],
    [r"\frac{a + b}{c - d} ", r"- \langle x + y, z\rangle"],
    [r"\max\{a + b, c\} ", "< 1"],
    [r"x_{t+1} ", r"\le y,\quad t=1,\dots,\tau"],
], ids="".join)  # fmt: skip
def test_a_formula_breaks_where_a_reader_would_and_joins_again(parts: list[str]) -> None:
    """Before relations and terms, but not before a sign, within brackets or in what is said beside."""
    latex = "".join(parts)

    assert list(pieces(latex)) == parts
    assert wrapping(latex).count("<wbr>") == len(parts) - 1
