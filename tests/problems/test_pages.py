"""The tables of docs/composite.md and docs/data.md are those of the code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import takewhile
from math import sqrt
from pathlib import Path

import pytest

import fedproof as fp
from fedproof.problems.composite.penalty import PENALTY, make_penalty, own_options, penalty_names
from fedproof.problems.data.data_files import endings
from fedproof.problems.data.federate import MODEL, REST, SPLIT
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.catalog import algorithm_class, algorithm_names
from fedproof.vocabulary.discovery import load, parts
from fedproof.vocabulary.options import Option

DOCS = Path(__file__).parents[2] / "docs"
PAGE, DATA = ((DOCS / name).read_text(encoding="utf-8") for name in ("composite.md", "data.md"))
SPLITS = parts("splits")
#: the table's B_g at weight 1, 12 entries, groups of 3, a matrix of 4 rows
BOUNDS: dict[str, Callable[[], float | None]] = {
    "0": lambda: 0.0, "w": lambda: 1.0, "w sqrt(d)": lambda: sqrt(12), "w sqrt(groups)": lambda: sqrt(4),
    "w sqrt(shorter side)": lambda: sqrt(3), "none: the gradient grows": lambda: None,
    "none: normal cones": lambda: None,
}  # fmt: skip


def row(option: Option, where: str) -> str:
    """The option's line in the table."""
    text = "" if option.default is None else str(option.default)
    if isinstance(option.default, bool):
        text = "yes" if option.default else "no"
    domain = "a name in [models.md](models.md)" if option is MODEL else option.domain
    return f"| {where} | `{option.name}` | {text} | {domain} | {option.meaning} |"


def options_of(*names: str) -> Iterable[tuple[str, Option]]:
    """The options of named problems."""
    return ((f"`{name}`", option) for name in names for option in load("problems", name, "problem").OPTIONS)


@pytest.mark.parametrize(("page", "known"), [
    (PAGE, [
        ("every problem", PENALTY),
        *((f"`penalty={name}`", option) for name in penalty_names() for option in own_options(name)),
        *options_of("composite_quadratic", "sparse_logistic", "lasso"),
    ]),
    (DATA, [
        *(("all data", option) for option in (SPLIT, MODEL, *REST)),
        *((f"`split={name}`", option) for name, part in SPLITS.items() for option in part.OPTIONS),
        *options_of("synthetic", "quadratic"),
    ]),
], ids=["composite", "data"])  # fmt: skip
def test_the_options_are_those_of_the_code(page: str, known: list[tuple[str, Option]]) -> None:
    """Name, default, domain and meaning are printed as the code has them, and nothing else is."""
    table = [line for line in page.splitlines() if re.match(r"\| .* \| `\w+` \|", line)]

    assert table == [row(option, where) for where, option in known]


def test_splits_and_endings_are_on_the_page() -> None:
    """Every split has its row, and every ending is named."""
    assert all(f"\n| `{name}` |" in DATA for name in SPLITS)
    assert all(f"`{ending}`" in DATA for ending in endings())


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


def cells_of(heading: str) -> list[list[str]]:
    """The cells of the rows of the first table below a heading, without backticks."""
    lines = PAGE.split(f"## {heading}\n", 1)[1].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|---"))
    body = takewhile(lambda line: line.startswith("|"), lines[first + 1 :])
    return [[cell.strip().strip("`") for cell in line.split("|")[1:-1]] for line in body]


def test_the_methods_are_those_of_the_code() -> None:
    """Vectors each way, by a run's bits, and whether a penalty is taken; every proximal method is there."""
    table = cells_of("Methods")
    quadratic = fp.problem("composite_quadratic", clients=3, dimension=4)
    for name, down, up, _, penalty in table:
        known = algorithm_class(name)
        where = quadratic if known.proximal else quadratic.smooth  # type: ignore[attr-defined]
        more = {"loss_strong_convexity": "1/10"} if name == "fast_fedda" else {}
        history = fp.run(name, where, rounds=1, stepsize="1/100", **more)
        vector = 64 * 4 * 3
        assert (history.downlink_bits, history.uplink_bits) == ((int(down) * vector,), (int(up) * vector,))
        assert known.proximal == (penalty == "yes")

    proximal = {n for n in algorithm_names() if getattr(algorithm_class(n), "proximal", False)}
    assert proximal <= {name for name, *_ in table}


def test_the_switches_are_those_of_the_code() -> None:
    """Each switch of fedcomposite with its default first, and every other choice named."""
    table = re.findall(r"^\| `(\w+)` \| `(\w+)`[^|]* \| `(\w+)`[^|]*\|$", PAGE, re.M)
    assert {name: (default, other) for name, default, other in table} == FedComposite.choices
    assert all(getattr(FedComposite(1), name) == default for name, default, _ in table)


def test_which_theorems_need_the_bound_is_what_they_say() -> None:
    """B_g is needed where it is among a statement's letters, and eta_g is asked for as the table has it."""
    table = cells_of("Theorems")
    for id_, _, bound, server in table:
        statement = fp.statement(id_).statement
        assert any(x.means == "subgradient_bound" for x in statement.letters) == (bound == "needed"), id_
        asked = {condition.label for condition in statement.conditions}
        named = {"(13)": "(13) server", "sqrt(n)": "Theorem 3.8 server", "at least 1": "eta_g >= 1"}
        assert (named[server] in asked) if server in named else not set(named.values()) & asked
    assert len(table) == 8
