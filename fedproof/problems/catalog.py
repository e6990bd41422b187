"""From a word or a path to a problem, and from a word to a penalty."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalty import PENALTY, Penalty, as_penalty, built, own_options, parted
from fedproof.problems.data.data_files import endings, is_path, read_dataset
from fedproof.problems.data.federate import federate
from fedproof.problems.problem import Problem
from fedproof.vocabulary.discovery import addresses, load
from fedproof.vocabulary.errors import InputError, UnknownName, nearest
from fedproof.vocabulary.options import whole

#: what a made problem can hold in memory
MOST_CLIENTS = 100_000


def problem_names() -> tuple[str, ...]:
    """Words that `make_problem` knows.

    >>> {"digits", "synthetic"} <= set(problem_names())
    True
    """
    return tuple(addresses("problems"))


def as_problem(
    problem: str | Path | Problem,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
) -> Problem:
    """The problem that a word, a path or the object itself stands for, as every verb takes it.

    Arguments:
        problem: a word or path for `make_problem`, or a problem object, which is returned as it is.
        clients, problem_seed, problem_options: how a named problem is made.

    Raises: InputError for what is no problem, and for an object together with how to make it; what
        `make_problem` raises.
    """
    if isinstance(problem, (str, Path)):
        return make_problem(problem, clients, problem_seed, problem_options)
    if not hasattr(problem, "sample_gradients"):
        raise not_a_problem(problem)
    beside = {"clients": clients, "problem_seed": problem_seed, "problem_options": problem_options}
    for name, value in beside.items():
        if value if name != "clients" else value is not None:
            raise InputError(name, f"{value} and a problem object", "a problem by name", "leave one out")
    return problem


def make_problem(
    name: str | Path, clients: int | None = None, seed: int = 0, options: Mapping[str, Any] | None = None
) -> Problem:
    """A problem by its word, or a model on a user's file or folder.

    Arguments:
        name: a word of `problem_names`, or a path that `read_dataset` understands.
        clients: how many; each problem has a default, and a file 10, or all its writers.
        seed: of the problem's own draws and split, apart from the run's.
        options: further arguments of the problem's builder, numbers or text; penalty, and what it takes as
            penalty_weight and the like, with every problem.

    Raises: UnknownName for a word or option that is not known; InputError or DataError for the rest.
    """
    if not isinstance(name, (str, Path)):
        raise not_a_problem(name)
    if not isinstance(options, (Mapping, type(None))):
        raise InputError("problem_options", type(options).__name__, "a dict of names and values")
    given = dict(options or {})
    for twice in (clients is not None and "clients", seed and "seed"):
        if twice in given:
            raise InputError(
                str(twice), f"{given[str(twice)]} as an option too", "it once", "leave the option out"
            )
    count = given.pop("clients", clients)
    if count is not None:
        count = whole(1, MOST_CLIENTS)[1]("clients", count)
    chosen = whole(0, (1 << 64) - 1)[1]("problem_seed", given.pop("seed", seed))
    known = str(name) in problem_names()
    if not known and not is_path(name):
        paths = f"or the path of a file ({' '.join(endings())} ...) or folder"
        raise UnknownProblem(str(name), problem_names(), paths)
    part = load("problems", str(name), "problem") if known else None
    # a composite problem has a penalty of its own and takes its options
    rest, penalty = (given, None) if getattr(part, "COMPOSITE", False) else parted(given)
    if part is None:
        smooth: Problem = federate(read_dataset(name), count, chosen, **rest)
    else:
        smooth = part.build(seed=chosen, **(rest if count is None else rest | {"clients": count}))
    return smooth if penalty is None else Composite(smooth, penalty)


def not_a_problem(given: object) -> InputError:
    """The error of what is neither a word, nor a path, nor a problem.

    >>> print(not_a_problem(7))
    problem: got 7, expected a problem by name, a file or a problem object; write problem="digits"
    """
    expected = "a problem by name, a file or a problem object"
    return InputError("problem", given, expected, 'write problem="digits"')


class UnknownProblem(UnknownName):
    """A word that is no problem; words and endings of files are named."""

    def __init__(self, got: str, known: tuple[str, ...], paths: str) -> None:
        near = nearest(got, known)
        cure = f"did you mean {near}?" if near else ""
        InputError.__init__(self, "problem", got, f"one of {', '.join(known)}, {paths}", cure)


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
