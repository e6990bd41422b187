"""What results look like as JSON and in a notebook."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fedproof.vocabulary.result import Result, Table, as_html, to_json


@dataclass(frozen=True)
class Sample(Result):
    """A result with awkward values."""

    value: Any

    def to_dict(self) -> dict[str, Any]:
        """The value."""
        return {"value": self.value}

    def headline(self) -> str:
        """A headline that looks like markup."""
        return "<script>alert(1)</script>"


def test_json_has_no_nan_infinity_or_foreign_numbers() -> None:
    """Non-finite numbers become null, numbers of other libraries become plain ones."""
    odd = [
        float("nan"),
        np.float64("inf"),
        Fraction(1, 4),
        np.arange(2),
        Fraction(10) ** 400,
        {"a": (None, True)},
    ]

    assert json.loads(to_json(Sample(odd))) == {
        "value": [None, None, 0.25, [0, 1], None, {"a": [None, True]}]
    }


def test_the_notebook_rendering_escapes_markup() -> None:
    """Text of a result cannot become HTML."""
    assert "<script>" not in Sample("<b>")._repr_html_()
    assert "&lt;b&gt;" in Sample("<b>")._repr_html_()


def test_a_table_shows_its_title_where_it_has_one() -> None:
    """The caption of an HTML table is its title, escaped; without a title there is none."""
    assert "<caption>a &lt; b</caption>" in as_html("", (Table("a < b", ("x",), ((1,),)),))
    assert "<caption>" not in as_html("", (Table("", ("x",), ((1,),)),))
