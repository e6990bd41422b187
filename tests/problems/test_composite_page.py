"""The tables of docs/composite.md are those of the code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import sqrt
from pathlib import Path

import pytest

from fedproof.problems.instances import composite_quadratic, lasso, sparse_logistic
from fedproof.problems.options import Option
from fedproof.problems.penalty import penalty_names
from fedproof.problems.penalty_options import PENALTY, make_penalty, own_options

PAGE = (Path(__file__).parents[2] / "docs" / "composite.md").read_text(encoding="utf-8")
PARTS = {"composite_quadratic": composite_quadratic, "sparse_logistic": sparse_logistic, "lasso": lasso}
#: the table's B_g at weight 1, 12 entries, groups of 3, a matrix of 4 rows
BOUNDS: dict[str, Callable[[], float | None]] = {
    "0": lambda: 0.0, "w": lambda: 1.0, "w sqrt(d)": lambda: sqrt(12), "w sqrt(groups)": lambda: sqrt(4),
    "w sqrt(shorter side)": lambda: sqrt(3), "none: the gradient grows": lambda: None,
    "none: normal cones": lambda: None,
}  # fmt: skip


def row(option: Option, where: str) -> str:
    """The option's line in the table."""
    text = "" if option.default is None else str(option.default)
    return f"| {where} | `{option.name}` | {text} | {option.domain} | {option.meaning} |"


def rows() -> Iterable[str]:
    """Every option of penalties and of composite problems."""
    yield row(PENALTY, "every problem")
    for name in penalty_names():
        yield from (row(option, f"`penalty={name}`") for option in own_options(name))
    for name, part in PARTS.items():
        yield from (row(option, f"`{name}`") for option in part.OPTIONS)


def test_the_options_are_those_of_the_code() -> None:
    """Name, default, domain and meaning are printed as the code has them, and nothing else is."""
    table = [line for line in PAGE.splitlines() if re.match(r"\| .* \| `\w+` \|", line)]

    assert table == list(rows())


@pytest.mark.parametrize("name", penalty_names())
def test_bounds_on_subgradients_are_those_of_the_code(name: str) -> None:
    """The row of every penalty has its B_g, and says whether it takes fractions."""
    line = next(line for line in PAGE.splitlines() if line.startswith(f"| `{name}` |"))
    cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
    given = {"penalty": name, "penalty_weight": 1, "penalty_groups": 3, "penalty_rows": 4}
    own = {option.name for option in own_options(name)} | {"penalty"}
    penalty = make_penalty({k: v for k, v in given.items() if k in own})
    said, found = BOUNDS[cells[3]](), penalty.subgradient_bound(12).value

    assert (found is None) == (said is None)
    assert found is None or said is None or abs(found - said) < 1e-12
    assert (cells[4] == "yes") == (name not in ("l2", "nuclear"))
