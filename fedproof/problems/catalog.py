"""From a word or a path to a problem, and from a word to a penalty."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalty import PENALTY, Penalty, as_penalty, built, own_options, parted
from fedproof.problems.data.data_files import endings, is_path, read_dataset
from fedproof.problems.data.dataset import Dataset
from fedproof.problems.data.federate import check_names, federate
from fedproof.problems.data.in_memory import TAKEN, dataset_of, is_data
from fedproof.problems.data.origin import origin_of
from fedproof.problems.data.table_options import NAMES
from fedproof.problems.data.table_options import parted as parted_table
from fedproof.problems.problem import Problem
from fedproof.problems.supervised.equal_clients import EqualClients
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.discovery import addresses, load
from fedproof.vocabulary.errors import DataError, InputError, UnknownName, nearest
from fedproof.vocabulary.options import Option, whole, word

#: one line for each user's data that are read; the shell shows it
READ = logging.getLogger("fedproof")
#: columns of these names may well be the clients
_TELLING = frozenset(
    (
        "center", "centre", "client", "client_id", "clients", "device", "device_id", "hospital",
        "hospital_id", "institution", "node", "owner", "party", "qid", "silo", "site", "site_id", "user",
        "user_id", "writer",
    )
)  # fmt: skip
WEIGHTS = Option(
    "weights",
    "size",
    word(lambda: ("size", "equal")),
    "what a client counts in the loss: its samples, or one",
)
#: what a made problem can hold in memory
MOST_CLIENTS = 100_000


def problem_names() -> tuple[str, ...]:
    """Words that `make_problem` knows.

    >>> {"digits", "synthetic"} <= set(problem_names())
    True
    """
    return tuple(addresses("problems"))


def as_problem(
    problem: str | Path | Problem | Any,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
) -> Problem:
    """The problem that a word, a path or the object itself stands for, as every verb takes it.

    Arguments:
        problem: a word, path or data for `make_problem`, or a problem object, which is returned as it is.
        clients, problem_seed, problem_options: how a named problem is made.

    Raises: InputError for what is no problem, and for an object together with how to make it; what
        `make_problem` raises.
    """
    if not hasattr(problem, "sample_gradients"):
        return make_problem(problem, clients, problem_seed, problem_options)
    beside = {"clients": clients, "problem_seed": problem_seed, "problem_options": problem_options}
    for name, value in beside.items():
        if value if name != "clients" else value is not None:
            raise InputError(name, f"{value} and a problem object", "a problem by name", "leave one out")
    made: Problem = problem  # type: ignore[assignment]
    return made


def make_problem(
    name: str | Path | Any,
    clients: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Problem:
    """A problem by its word, or a model on a user's file, folder or data in memory.

    Arguments:
        name: a word of `problem_names`, a path that `read_dataset` understands, or data for `dataset_of`.
        clients: how many; each problem has a default, a user's data all their writers, or 10 with a split.
        seed: of the problem's own draws and split, apart from the run's.
        options: further arguments of the problem's builder, numbers or text; with every problem penalty, what
            it takes as penalty_weight and the like, and weights, "equal" for the plain mean over the clients.

    Raises: UnknownName for a word or option that is not known; InputError or DataError for the rest.
    """
    if not isinstance(name, (str, Path)) and not is_data(name):
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
    known = isinstance(name, (str, Path)) and str(name) in problem_names()
    if isinstance(name, (str, Path)) and not known and not is_path(name):
        paths = f"or the path of a file ({' '.join(endings())} ...) or folder"
        raise UnknownProblem(str(name), problem_names(), paths)
    part = load("problems", str(name), "problem") if known else None
    weights = WEIGHTS.read(given.pop(WEIGHTS.name, WEIGHTS.default))
    # a composite problem has a penalty of its own and takes its options
    rest, penalty = (given, None) if getattr(part, "COMPOSITE", False) else parted(given)
    if part is None:
        smooth = _of_data(name, count, chosen, rest)
    else:
        if foreign := next((option for option in rest if option in NAMES), None):
            raise InputError(foreign, rest[foreign], f"it with data of your own, not with {name}",
                             f"leave {foreign} out")  # fmt: skip
        smooth = part.build(seed=chosen, **(rest if count is None else rest | {"clients": count}))
    made = smooth if penalty is None else Composite(smooth, penalty)
    return every_client_alike(made) if weights == "equal" else made


def usual_average(options: Mapping[str, Any] | None) -> str:
    """How a server averages the models of the clients of a problem with these options.

    >>> usual_average({"weights": "equal"}), usual_average(None)
    ('plain', 'size')
    """
    return "plain" if (options or {}).get(WEIGHTS.name) == "equal" else "size"


def every_client_alike(problem: Problem) -> Problem:
    """The problem whose loss is the plain mean over the clients; itself where it is that already.

    Raises: InputError for clients of unlike size of a problem that is not on rows.
    """
    if isinstance(problem, Composite):
        smooth = every_client_alike(problem.smooth)
        return problem if smooth is problem.smooth else replace(problem, smooth=smooth)
    if len(set(problem.sizes.tolist())) == 1:
        return problem
    if not isinstance(problem, Supervised):
        got = f"equal for clients of unlike size that hold a {problem.name}"
        raise InputError(WEIGHTS.name, got, "a model on rows, or clients of one size", "leave weights out")
    return EqualClients.of(problem)


def _of_data(name: Any, clients: int | None, seed: int, given: Mapping[str, Any]) -> Problem:
    """A model on a user's data, which say themselves, or by a split that is asked for, whose a row is."""
    check_names(given)
    how, rest = parted_table(given)
    data = read_dataset(name, **how) if isinstance(name, (str, Path)) else dataset_of(name, how)
    if data.owners is None and rest.get("split") is None:
        split = "labels" if "labels_per_client" in rest else "iid"
        raise _whose(str(name) if isinstance(name, (str, Path)) else data.name, data, split)
    made = federate(data, clients, seed, **rest)
    origin = origin_of(made)
    if origin is not None:
        READ.info(origin.line(made.sizes))
    return made


def _whose(source: str, data: Dataset, split: str) -> DataError:
    """The error of rows that nobody owns, with what to write; a column of a telling name is offered."""
    columns = (*data.reading.unused, *data.reading.columns) if data.reading is not None else ()
    column = next((c for c in columns if c.partition("=")[0].strip().lower() in _TELLING), "COLUMN")
    named = f"client={column.partition('=')[0]} or " if columns else ""
    shell = f"--client {column.partition('=')[0]} or " if columns else ""
    cure = f"write {named}split={split}, in the shell {shell}--split {split} --clients 10"
    return DataError(source, "rows without clients", "who holds which row", cure)


def not_a_problem(given: object) -> InputError:
    """The error of what is neither a word, nor a path, nor a problem.

    >>> print(not_a_problem(7))
    problem: got 7, expected a problem by name, a file, a problem object, or a DataFrame, (X, y) or
    (X, y, clients), a Bunch, or pairs of features and label; write problem="digits"
    """
    expected = f"a problem by name, a file, a problem object, or {TAKEN}"
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
    name: str | Path | Any,
    /,
    *,
    clients: int | None = None,
    seed: int = 0,
    penalty: str | Penalty | None = None,
    **options: Any,
) -> Problem:
    """A problem by name, or a model on a file, a folder or data in memory, as every verb takes it.

    Arguments:
        name: digits, breast_cancer, sparse_logistic, ..., or a path: docs/data.md and docs/composite.md; or a
            DataFrame, (X, y), (X, y, clients), a Bunch or a sequence of pairs.
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
