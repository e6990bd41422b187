"""Options are on the pages of docs as in the code, and in the names of problems; and they have ends."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from itertools import takewhile
from math import sqrt
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest

import fedproof as fp
from fedproof.problems.catalog import WEIGHTS, make_problem, problem_names
from fedproof.problems.composite.penalty import PENALTY, make_penalty, own_options, penalty_names
from fedproof.problems.data.data_files import endings
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import MODEL, REST, SPLIT, federate
from fedproof.problems.data.table_options import TABLE
from fedproof.problems.instances import quadratic, robust, synthetic
from fedproof.problems.problem import Problem
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised import models
from fedproof.problems.supervised.model_options import option_defaults
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.catalog import algorithm_class, algorithm_names
from fedproof.vocabulary.discovery import load, parts
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.options import Option
from tests.refusals import refused

DOCS = Path(__file__).parents[2] / "docs"
PAGE, DATA_PAGE = ((DOCS / name).read_text(encoding="utf-8") for name in ("composite.md", "data.md"))
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
    (DATA_PAGE, [
        *(("your data", option) for option in TABLE),
        ("every problem", WEIGHTS),
        *(("all data", option) for option in (SPLIT, MODEL, *REST)),
        *((f"`split={name}`", option) for name, part in SPLITS.items() for option in part.OPTIONS),
        *options_of("synthetic", "quadratic", "robust", "binary_logistic"),
    ]),
], ids=["composite", "data"])  # fmt: skip
def test_the_options_are_those_of_the_code(page: str, known: list[tuple[str, Option]]) -> None:
    """Name, default, domain and meaning are printed as the code has them, and nothing else is."""
    table = [line for line in page.splitlines() if re.match(r"\| .* \| `\w+` \|", line)]

    assert table == [row(option, where) for where, option in known]


def test_splits_and_endings_are_on_the_page() -> None:
    """Every split has its row, and every ending is named."""
    assert all(f"\n| `{name}` |" in DATA_PAGE for name in SPLITS)
    assert all(f"`{ending}`" in DATA_PAGE for ending in endings())


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


RNG = np.random.default_rng(0)
DATA = Dataset("toy", RNG.random((400, 3)), np.arange(400) % 4, 4, owners=np.arange(400) % 12)
MODELS = [module.name for module in iter_modules(models.__path__)]
#: another value of each option than the default
OTHER: dict[str, Any] = {
    "alpha": 0, "beta": "1/2", "scale": "deviation", "iid": "yes", "most_samples": 60,
    "dimension": 4, "samples": 3, "heterogeneity": "3/4", "sample_spread": "1/8", "noise": 2,
    "condition": 5, "smoothness": 2, "rotations": 2, "gap": 2, "rank": 3, "feature_scale": "rows",
    "labels_per_client": 3, "smallest": 5, "largest": 15, "exponent": 1, "concentration": 3,
    "deviation": 1, "least": 4, "mixed": "1/4",
    "l2": "1/10", "nonconvex": "1/10", "test_fraction": "1/4", "hidden": 5, "activation": "softplus",
    "model_seed": 3, "penalty_weight": "1/7", "penalty_curvature": "1/7", "penalty_low": "-1/7",
    "penalty_high": "1/7", "penalty_rows": 2, "penalty_groups": 2,
    "mcp": "1/10", "mcp_gamma": 2, "scad": "1/10", "scad_a": 3, "delta": 2, "width": 2,
}  # fmt: skip
COMPOSITE = ("composite_quadratic", "lasso", "sparse_logistic")


def made(problem: str, **options: Any) -> Any:
    """A problem of four clients; `data` is a table in memory."""
    if problem == "data":
        return federate(DATA, 4, 0, **options)
    return make_problem(problem, 4, 0, options)


#: what has to be there for an option to count
BESIDE: dict[str, dict[str, Any]] = {"mcp_gamma": {"mcp": 1}, "scad_a": {"scad": 1}}
CASES = [
    *(("data", {"split": name}, o.name) for name, part in SPLITS.items() for o in part.OPTIONS),
    *(("data", BESIDE.get(o.name, {}), o.name) for o in REST),
    *(("data", {"model": name}, o) for name in MODELS for o in option_defaults(name)),
    *(
        ("synthetic", {"scale": "variance"} | BESIDE.get(o.name, {}), o.name)
        for o in (*synthetic.OPTIONS, *REST)
    ),
    *(("quadratic", {}, o.name) for o in quadratic.OPTIONS),
    *(("robust", {}, o.name) for o in robust.OPTIONS),
    *((name, {}, o.name) for name in COMPOSITE for o in load("problems", name, "problem").OPTIONS),
    *(
        ("composite_quadratic", {"dimension": 4, "penalty": name}, o.name)
        for name in penalty_names()
        for o in own_options(name)
    ),
]


@pytest.mark.parametrize(("problem", "base", "option"), CASES)
def test_another_option_is_another_name(problem: str, base: dict[str, Any], option: str) -> None:
    """Whatever is set to another value than its default changes the name; composite ones, the problem."""
    other, usual = made(problem, **base | {option: OTHER[option]}), made(problem, **base)

    assert other.name != usual.name
    assert problem not in COMPOSITE or other.digest != usual.digest


def test_splits_models_seeds_and_clients_are_in_the_name() -> None:
    """All names of all splits and models differ, and so do seeds and numbers of clients."""
    names = [made("data", split=split).name for split in SPLITS]
    names += [
        made("data", split="iid", model=model).name for model in MODELS if model not in ("logistic", "hinge")
    ]
    for problem in problem_names():
        built = [make_problem(problem, n, s) for n, s in ((5, 0), (5, 1), (6, 0))]
        names += [one.name for one in built]
        assert all(isinstance(one, Problem) for one in built)

    assert len(names) - len(set(names)) == 1  # split=iid with the default model, twice


def test_sizes_of_a_quadratic_are_in_its_name() -> None:
    """Clients of other sizes make another name, one number for all where they are alike."""
    assert "samples=1+3+2" in random_quadratic(0, 3, 2, [1, 3, 2]).name
    assert random_quadratic(0, 3, 2, [2, 2, 2]).name == random_quadratic(0, 3, 2, 2).name


@pytest.mark.parametrize("option", quadratic.OPTIONS, ids=lambda option: option.name)
@pytest.mark.parametrize("value", ["1e999", "1e31"])
def test_options_of_a_quadratic_have_ends(option: Any, value: str) -> None:
    """A number that no float holds, or whose products do not, is refused as it is read."""
    with pytest.raises(InputError, match=f"^{option.name}: got .*expected a (whole )?number"):
        make_problem("quadratic", 2, 0, {option.name: value})


def test_the_ends_of_the_options_can_be_built() -> None:
    """At the largest values losses, gradients and constants are finite."""
    ends = dict.fromkeys(("heterogeneity", "sample_spread", "noise", "condition", "smoothness"), "1e30")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem = make_problem("quadratic", 2, 0, ends)
        toy = federate(DATA, 4, 0, l2="1e30", nonconvex="1e30")

        assert np.isfinite(problem.loss(problem.start()))
        assert np.isfinite(problem.gradient(problem.start())).all()
        assert np.isfinite(float(toy.constants["smoothness_sample"].value))


@pytest.mark.parametrize(("clients", "options", "cure"), [
    (10, {"dimension": 200}, "use a smaller dimension"),
    (100_000, {}, "use a smaller dimension, fewer clients"),
    (10, {"samples": 100_000}, "write samples=4444"),
    (2, {"rotations": 1000, "dimension": 150}, "use a smaller dimension, fewer clients or rotations"),
])  # fmt: skip
def test_a_quadratic_that_would_take_hours_is_refused(
    clients: int, options: dict[str, Any], cure: str
) -> None:
    """Rows times the cube of the dimension are looked at before anything is built."""
    refused(DataError, cure, make_problem, "quadratic", clients, 0, options)
