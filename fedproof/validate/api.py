"""The verb `validate`: does a run obey the theory?"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, Any

from threadpoolctl import threadpool_limits

from fedproof.bounds.catalog import parts, statement, statement_ids
from fedproof.validate.verdict import (
    BoundComparison,
    EmpiricalCheck,
    SamplingBudget,
    Validation,
    assign_verdicts,
)
from fedproof.vocabulary.discovery import GROUP, alone, paper_modules, read, readable
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.papers import papers, unknown

if TYPE_CHECKING:
    from fedproof.validate.logs.proved import ProvedData

Header = str | os.PathLike[str] | Mapping[str, Any]


def checks(*ids: str) -> dict[str, EmpiricalCheck]:
    """Every check by its qualified name: the paper's key and the file's name in its folder `checks`.

    Of another distribution's file that cannot be read there is a warning; BrokenPart for a paper of `ids`.

    >>> "fedproxvr.lemma1.sarah" in checks()["fedproxvr.lemma1"].ids
    True
    """
    known = paper_modules("checks")
    return readable(sorted(known), lambda name: read(known[name], _check), ids)


def _check(module: ModuleType) -> EmpiricalCheck:
    found = module.CHECK
    if not isinstance(found, EmpiricalCheck):
        raise InputError(
            "CHECK", found, "an EmpiricalCheck", "write CHECK = EmpiricalCheck((ID,), title, find)"
        )
    return found


def _speaking(name: str, check: EmpiricalCheck) -> EmpiricalCheck:
    """A check whose ids are statements or steps; of a user's file they are its own."""
    module, key = paper_modules("checks").get(name, ""), name.partition(".")[0]
    foreign = sorted(id for id in check.ids if not id.startswith(f"{key}."))
    if foreign and alone(module):
        raise InputError("id of CHECK", foreign[0], f"one that begins with {key}.", "check your own")
    if strange := set(check.ids) - set(statement_ids()):
        read(module, lambda _: _steps(strange))
    if module.startswith(f"{GROUP}.") or not module:
        return check
    return replace(check, find=lambda budget: tuple(map(of_its_claim, check.find(budget))))


def of_its_claim(finding: BoundComparison) -> BoundComparison:
    """A finding as it stands, undecided where it compares another metric than its statement's claim, or
    on the other side: what a paper ships as a consequence of its claim a user's own check only asserts.
    """
    claim = statement(finding.id).claim if finding.id in statement_ids() else None
    claimed = getattr(claim, "metric", None)
    if claimed is None or not finding.applies:
        return finding
    side = getattr(claim, "relation", "<=")
    if (finding.metric, finding.relation) == (claimed, side):
        return finding
    why = (
        f"The claim is {claimed} {side} its bound, which {finding.metric} {finding.relation} a number is not."
    )
    detail = f"{finding.detail} {why}".strip()
    return replace(finding, detail=detail, p_violated=1.0, p_obeyed=1.0)


def _steps(ids: set[str]) -> None:
    keys = {id.partition(".")[0] for id in ids} & set(papers())
    known = [*statement_ids(), *(id for key in sorted(keys) for id in parts(key))]
    for id in sorted(ids - set(known)):
        raise UnknownName("id of CHECK", id, known)


def titles(*ids: str) -> tuple[str, ...]:
    """What `validate` calls its progress function with, in order, where nothing must be repeated."""
    return tuple(c.title for c in _chosen(ids))


def _chosen(ids: tuple[str, ...]) -> list[EmpiricalCheck]:
    found = {name: c for name, c in checks(*ids).items() if not ids or set(c.ids) & set(ids)}
    return list(readable(found, lambda name: _speaking(name, found[name]), ids).values())


def validate(
    *ids: str,
    progress: Callable[[str], Any] | None = None,
    seeds: int | None = None,
    history: Any = None,
    header: Header | None = None,
    problem: Any = None,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
) -> Validation:
    """Compare theory with runs.

    Arguments:
        ids: of statements or steps; none means everything that has a check in practice.
        progress: called with a note when a check is done.
        seeds: independent runs of every sampled comparison; each check has its default.
        history: runs that were logged, checked instead: a file (CSV, JSON lines, or a document of
            `fedproof run --json`) or a folder of replicas; a `History`, a `Sweep`, a DataFrame, a document or
            a list of them. What a log holds is in docs/logs.md.
        header: what the logs do not say themselves: tables, or the path of a TOML file.
        problem, clients, problem_seed, problem_options: on which the records ran, as `run` takes them. What
            is proved of it is computed anew, in place of what the records say; a record of other data is
            refused.

    Returns: one row for every comparison, corrected together.
    Raises: UnknownName for an id that is neither a statement nor checked; InputError for seeds < 1; DataError
        for logs that cannot be read or have no number in a round that counts.

    >>> [v.verdict for v in validate("fedproxvr.remark1.2").results]
    ['not applicable']
    """
    if seeds is not None and (isinstance(seeds, bool) or not isinstance(seeds, int) or seeds < 1):
        raise InputError("seeds", seeds, "a whole number >= 1", "leave it out for each check's own")
    found = checks(*ids)
    known = {id for check in found.values() for id in check.ids}
    for id in ids:
        if id not in known and id not in statement_ids():
            raise unknown("statement or step", id, sorted({*known, *statement_ids()}))
    if history is not None:
        from fedproof.validate.history import check_history

        data = None if problem is None else _data(problem, clients, problem_seed, problem_options, ids)

        def compared(again: bool) -> tuple[BoundComparison, ...]:
            return check_history(history, ids, header, again=again, data=data)

        return Validation(assign_verdicts(compared(False), lambda: compared(True)))
    if header is not None:
        raise InputError("header", header, "it beside a history", "say which logs it speaks of")
    if problem is not None:
        raise InputError("problem", problem, "it beside a history", "give the runs that were made on it")
    with threadpool_limits(1, "blas"):
        return _run(_chosen(ids), ids, known, SamplingBudget(seeds), progress)


def _data(
    problem: Any, clients: int | None, seed: int, options: Mapping[str, Any] | None, ids: tuple[str, ...]
) -> ProvedData:
    """The problem with what will be proved of it, as far as the statements ask."""
    from fedproof.measure.start import in_floats
    from fedproof.problems.catalog import as_problem
    from fedproof.validate.logs.proved import ProvedData

    words = {letter.means for id in ids if id in statement_ids() for letter in statement(id).letters}
    return ProvedData(in_floats(as_problem(problem, clients, seed, options)), words if ids else None)


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
    about = "with a constant that the text hides" if kind == "hidden" else "about parameters"
    why = f"A claim of kind '{kind}' {about}: no run can test it; audit decides it."
    return BoundComparison(id, "", "<=", None, None, "no run", why, applies=False)
