"""What an audit finds of the statements that a plan rests on, in a process beside the one that plans."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import current_process
from typing import TypeAlias

from joblib import cpu_count
from joblib.externals.loky import ProcessPoolExecutor

from fedproof.bounds.catalog import statement
from fedproof.solvers.runs.workers import follow, starting_workers
from fedproof.validate.audit import judge
from fedproof.validate.statement_verdict import StatementVerdict
from fedproof.vocabulary.own_file import FORGET, own_files

Ask: TypeAlias = Callable[[str], Callable[[], StatementVerdict]]
"""Asked of a statement by its id when it is known to be needed; what that gives is called for the verdict."""

_FOUND: dict[str, StatementVerdict] = {}
FORGET.append(_FOUND.clear)


@contextmanager
def beside() -> Iterator[Ask]:
    """Audits in a process beside this one, which does itself what the other has not begun when it is needed.

    Papers in a file of one's own are audited here, as this process read them.

    >>> with beside() as ask:
    ...     ask("flecs.theorem5")().verdict
    'refuted'
    """
    pool = ProcessPoolExecutor(1, initializer=follow, initargs=(os.getpid(),))
    thread = ThreadPoolExecutor(1)
    asked: dict[str, Future[StatementVerdict]] = {}
    alone = cpu_count() == 1 or current_process().daemon

    def there(id: str) -> StatementVerdict:
        with starting_workers():
            found: Future[StatementVerdict] = pool.submit(_there, id)
        return found.result()

    def ask(id: str) -> Callable[[], StatementVerdict]:
        if alone or id in _FOUND or id.partition(".")[0] in own_files():
            return partial(here, id)
        if id not in asked:
            asked[id] = thread.submit(there, id)
        return partial(_waited, asked[id], id)

    try:
        yield ask
    finally:
        thread.shutdown(wait=False, cancel_futures=True)
        pool.shutdown(kill_workers=True)


def _there(id: str) -> StatementVerdict:
    """The verdict, where the process beside finds it."""
    return here(id)


def _waited(found: Future[StatementVerdict], id: str) -> StatementVerdict:
    """The verdict of the process beside, or of this one where that has not begun or was lost."""
    if not found.cancel():
        with suppress(BrokenExecutor):
            _FOUND[id] = found.result()
    return here(id)


def here(id: str) -> StatementVerdict:
    """What an audit finds of a statement, in this process, once.

    >>> here("flecs.theorem5").verdict
    'refuted'
    """
    if id not in _FOUND:
        _FOUND[id] = judge(statement(id))
    return _FOUND[id]
