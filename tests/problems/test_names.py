"""The name of a problem says all that was chosen, and its options have ends."""

from __future__ import annotations

import warnings
from pkgutil import iter_modules
from typing import Any

import numpy as np
import pytest

from fedproof.problems.catalog import make_problem, problem_names
from fedproof.problems.composite.penalty import own_options, penalty_names
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import REST, federate
from fedproof.problems.instances import quadratic, synthetic
from fedproof.problems.problem import Problem
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.problems.supervised import models
from fedproof.problems.supervised.model_options import option_defaults
from fedproof.vocabulary.discovery import load, parts
from fedproof.vocabulary.errors import DataError, InputError
from tests.refusals import refused

SPLITS = parts("splits")
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
}  # fmt: skip
COMPOSITE = ("composite_quadratic", "lasso", "sparse_logistic")


def made(problem: str, **options: Any) -> Any:
    """A problem of four clients; `data` is a table in memory."""
    if problem == "data":
        return federate(DATA, 4, 0, **options)
    return make_problem(problem, 4, 0, options)


CASES = [
    *(("data", {"split": name}, o.name) for name, part in SPLITS.items() for o in part.OPTIONS),
    *(("data", {}, o.name) for o in REST),
    *(("data", {"model": name}, o) for name in MODELS for o in option_defaults(name)),
    *(("synthetic", {"scale": "variance"}, o.name) for o in (*synthetic.OPTIONS, *REST)),
    *(("quadratic", {}, o.name) for o in quadratic.OPTIONS),
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
    names += [made("data", split="iid", model=model).name for model in MODELS if model != "logistic"]
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
