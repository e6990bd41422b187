"""How a problem is made, as a value: a word or a file with its content's digest, and the options."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import lru_cache
from numbers import Number
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from fedproof.problems.catalog import as_problem, make_problem, problem_names, usual_average
from fedproof.problems.data.data_files import files_of, is_path
from fedproof.problems.data.table_options import NAMES as COLUMN_NAMES
from fedproof.problems.digest import problem_digest
from fedproof.problems.problem import Problem, counts_alike
from fedproof.vocabulary.errors import DataError, InputError
from fedproof.vocabulary.values import json_number


@dataclass(frozen=True)
class ProblemSpec:
    """How a problem is made.

    Arguments:
        problem: a word, or the absolute path of a file or folder.
        clients, seed: how many, and of the problem's own draws.
        options: further arguments of the problem's builder, sorted by name.
        digest: of the names and contents of its files, empty for a word.
        given: a problem that was made already; the digest is then of its numbers.
    """

    problem: str
    clients: int | None = None
    seed: int = 0
    options: tuple[tuple[str, Any], ...] = ()
    digest: str = ""
    given: Problem | None = field(default=None, compare=False, repr=False)

    @property
    def usual_average(self) -> str:
        """How the server averages the models where nothing is said: as the loss weighs its clients."""
        if self.given is None:
            return usual_average(dict(self.options))
        return "plain" if counts_alike(self.given) else "size"

    def document(self) -> dict[str, Any]:
        """What determines the problem, as JSON data; of a file its name and content, not where it lies."""
        if self.given is not None:
            return {"name": self.problem, "object": self.digest, "clients": self.clients}
        which = {"file": Path(self.problem).name, "sha256": self.digest} if self.digest else {}
        return {
            **(which or {"name": self.problem}),
            "clients": self.clients,
            "seed": self.seed,
            "options": dict(self.options),
        }

    def build(self) -> Problem:
        """The problem; the last one made is kept, so that runs on the same one share it.

        Raises: DataError if the file has changed since the specification was made.
        """
        return _built(self) if self.given is None else self.given


def make_problem_spec(
    problem: str | Path | Problem | Any,
    clients: int | None = None,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> ProblemSpec:
    """The specification of a problem by its word or file, or of one that is there, or is data in memory.

    Arguments: those of `make_problem`.
    Raises: UnknownName for a word that is not known; InputError or DataError for the rest.

    >>> make_problem_spec("synthetic", options={"alpha": "0.50"}).document()["options"]
    {'alpha': 0.5}
    """
    if not isinstance(problem, (str, Path)):
        made = as_problem(problem, clients, seed, options)
        return ProblemSpec(made.name, made.n_clients, digest=problem_digest(made), given=made)
    clients, seed = canonical_form(clients, "clients"), canonical_form(seed, "problem_seed")
    given = tuple(sorted((name, _option(name, value)) for name, value in (options or {}).items()))
    if str(problem) in problem_names():
        return ProblemSpec(str(problem), clients, seed, given)
    if not is_path(problem):
        make_problem(problem, clients, seed, options)
    return ProblemSpec(str(Path(problem).resolve()), clients, seed, given, _content(Path(problem)))


def _option(name: str, value: Any) -> Any:
    """Names of columns are text, also where they look like numbers."""
    return str(value) if name in COLUMN_NAMES and isinstance(value, str) else canonical_form(value, name)


def clear_problem_cache() -> None:
    """Let go of the problem that was made last."""
    _built.cache_clear()


@lru_cache(maxsize=1)
def _built(problem_spec: ProblemSpec) -> Problem:
    if problem_spec.digest and _content(Path(problem_spec.problem)) != problem_spec.digest:
        raise DataError(
            problem_spec.problem,
            "another content",
            "the file as it was at the start",
            "start the sweep again",
        )
    # one BLAS thread, as in the rounds: constants must not depend on how many cores a worker has
    with threadpool_limits(1, "blas"):
        name = Path(problem_spec.problem) if problem_spec.digest else problem_spec.problem
        return make_problem(name, problem_spec.clients, problem_spec.seed, dict(problem_spec.options))


def _content(path: Path) -> str:
    """The digest of the names and contents of all files that the path stands for."""
    lines = []
    for file in files_of(path):
        with file.open("rb") as content:
            lines.append(f"{file.name} {hashlib.file_digest(content, 'sha256').hexdigest()}")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def canonical_form(value: Any, name: str = "value") -> Any:
    """A value as hashable JSON data: a number, also one in text, in one form whatever its type.

    Arguments:
        value: a number, text, None, or sequences, mappings and dataclasses of these.
        name: what the value is called, for the error message.

    Returns: numbers as int, or as float where that is the same number as the parser reads it, else p/q;
        sequences as tuples, mappings and dataclasses as tuples of pairs.
    Raises: InputError for anything else.

    >>> canonical_form("1/2"), canonical_form(3.0), canonical_form("1/3"), canonical_form("svrg")
    (0.5, 3, '1/3', 'svrg')
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        try:
            return json_number(value, name)
        except InputError:
            return value
    if isinstance(value, Number):
        return json_number(value, name)
    if isinstance(value, (list, tuple)):
        return tuple(canonical_form(v, name) for v in value)
    if isinstance(value, Mapping):
        return tuple(sorted((str(k), canonical_form(v, str(k))) for k, v in value.items()))
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, *(
            (f.name, canonical_form(getattr(value, f.name), f.name)) for f in fields(value)
        )
    raise InputError(name, value, "a number, text, or a dataclass of these", "use fp.run for anything else")
