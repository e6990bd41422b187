"""Problems and penalties by name in Python: `problem` and `penalty`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fedproof.problems.catalog import make_problem
from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalty import Penalty, as_penalty
from fedproof.problems.composite.penalty_options import PENALTY, built, own_options
from fedproof.problems.problem import Problem
from fedproof.vocabulary.errors import InputError, UnknownName


def penalty(name: str, /, **options: Any) -> Penalty:
    """The convex g of composite (1) by name, such as l1, l2, box or nuclear.

    Arguments:
        name: a file of `fedproof/problems/composite/penalties`; docs/composite.md lists them.
        options: what it takes: weight, curvature, low, high, groups, rows; numbers or text, exact as written.

    Raises: UnknownName with the nearest known one, or InputError, one line each.

    >>> penalty("l1", weight="0.01").text, penalty("box", low=0, high=2).text
    ('0.01 |x|_1', '[x in [0, 2]]')
    """
    known = [option.name.removeprefix("penalty_") for option in own_options(PENALTY.read(name))]
    for option, value in options.items():
        if not known:
            raise InputError(option, f"{value} for the penalty {name}", "none", f"leave {option} out")
        if option not in known:
            raise UnknownName(f"{name} option", option, known)
    return built(name, options)


def problem(
    name: str | Path,
    /,
    *,
    clients: int | None = None,
    seed: int = 0,
    penalty: str | Penalty | None = None,
    **options: Any,
) -> Problem:
    """A problem by name, or a model on a file or folder, as every verb takes it.

    Arguments:
        name: digits, breast_cancer, sparse_logistic, ..., or a path: docs/data.md and docs/composite.md.
        clients: how many; each problem has a default.
        seed: of the problem's own draws and split, apart from a run's.
        penalty: g by name, with penalty_weight and the like among the options, or an object; an object takes
            the place of the penalty that a composite problem has of its own.
        options: what the problem takes.

    Raises: UnknownName, InputError or DataError, one line each.

    >>> import fedproof as fp
    >>> fp.problem("sparse_logistic", clients=4, samples=20, penalty_weight="0.01").n_clients
    4
    >>> fp.problem("lasso", dimension=3, penalty=fp.penalty("linf", weight=1)).penalty.text
    '1 max |x_j|'
    """
    if penalty is None or isinstance(penalty, str):
        return make_problem(
            name, clients, seed, options if penalty is None else options | {"penalty": penalty}
        )
    chosen, made = as_penalty(penalty), make_problem(name, clients, seed, options)
    return Composite(made.smooth if isinstance(made, Composite) else made, chosen)
