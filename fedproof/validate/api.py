"""The verb `validate`: does a run obey the theory?"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from threadpoolctl import threadpool_limits

from fedproof.bounds.catalog import statement, statement_ids
from fedproof.validate.verdict import (
    BoundComparison,
    EmpiricalCheck,
    SamplingBudget,
    Validation,
    assign_verdicts,
)
from fedproof.vocabulary.discovery import paper_modules
from fedproof.vocabulary.errors import InputError, UnknownName

History = str | os.PathLike[str] | Mapping[str, Any]


def checks() -> dict[str, EmpiricalCheck]:
    """Every check by its qualified name: the paper's key and the file's name in its folder `checks`.

    >>> "fedproxvr.lemma1.sarah" in checks()["fedproxvr.lemma1"].ids
    True
    """
    return {name: import_module(address).CHECK for name, address in sorted(paper_modules("checks").items())}


def titles(*ids: str) -> tuple[str, ...]:
    """What `validate` calls its progress function with, in order, where nothing must be repeated."""
    return tuple(c.title for c in _chosen(ids))


def _chosen(ids: tuple[str, ...]) -> list[EmpiricalCheck]:
    return [c for c in checks().values() if not ids or set(c.ids) & set(ids)]


def validate(
    *ids: str,
    progress: Callable[[str], Any] | None = None,
    seeds: int | None = None,
    history: History | None = None,
) -> Validation:
    """Compare theory with runs.

    Arguments:
        ids: of statements or steps; none means everything that has a check in practice.
        progress: called with a note when a check is done.
        seeds: independent runs of every sampled comparison; each check has its default.
        history: a saved run (a file written by `fedproof run --json`, or its document), checked instead.

    Returns: one row for every comparison, corrected together.
    Raises: UnknownName for an id that is neither a statement nor checked; InputError for seeds < 1.

    >>> [v.verdict for v in validate("fedproxvr.remark1.2").results]
    ['not applicable']
    """
    if seeds is not None and (isinstance(seeds, bool) or not isinstance(seeds, int) or seeds < 1):
        raise InputError("seeds", seeds, "a whole number >= 1", "leave it out for each check's own")
    found = checks()
    known = {id for check in found.values() for id in check.ids}
    for id in ids:
        if id not in known and id not in statement_ids():
            raise UnknownName("statement or step", id, sorted({*known, *statement_ids()}))
    if history is not None:
        from fedproof.validate.history import check_history

        return Validation(assign_verdicts(check_history(history, ids), lambda: check_history(history, ids)))
    with threadpool_limits(1, "blas"):
        return _run(_chosen(ids), ids, known, SamplingBudget(seeds), progress)


def _run(
    chosen: list[EmpiricalCheck],
    ids: tuple[str, ...],
    known: set[str],
    effort: SamplingBudget,
    progress: Callable[[str], Any] | None,
) -> Validation:
    def collect(effort: SamplingBudget) -> tuple[BoundComparison, ...]:
        rows: list[BoundComparison] = []
        for check in chosen:
            rows += [f for f in check.find(effort) if not ids or f.id in ids]
            if progress is not None:
                progress(check.title)
        return (*rows, *(_unchecked(id) for id in ids if id not in known))

    return Validation(
        assign_verdicts(collect(effort), lambda: collect(replace(effort, salt=effort.salt + 1)))
    )


def _unchecked(id: str) -> BoundComparison:
    kind = statement(id).claim.kind
    why = f"A claim of kind '{kind}' about parameters: no run can test it; audit decides it."
    return BoundComparison(id, "", "<=", None, None, "no run", why, applies=False)
