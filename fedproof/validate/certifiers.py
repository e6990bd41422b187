"""Certificates searched for by several processes: each step after what it uses, papers beside each other."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import cache
from typing import Any

from fedproof.bounds import catalog
from fedproof.proof.certificates import Document, Proved, accepted
from fedproof.proof.obligations import used
from fedproof.proof.step import Step
from fedproof.validate import certifying

#: a paper's key and the id of one of its steps
Place = tuple[str, str]


def steps(keys: Iterable[str], jobs: int) -> dict[str, dict[str, Document | str]]:
    """The certificates of papers' steps, or why none was found; how many processes search changes nothing.

    Arguments:
        keys: of the papers; "" stands for the lemmas.
        jobs: processes.
    """
    every = {(key, id): step for key in keys for id, step in _steps(key).items()}
    if jobs == 1:
        one = {key: certifying.certified(certifying.steps_of(key)) for key in keys}
        return {key: {id: _document(p) for id, p in found.items()} for key, found in one.items()}
    below = {place: [(place[0], s.id) for s in certifying.uses(step)] for place, step in every.items()}
    below = {place: [b for b in found if b in every] for place, found in below.items()}
    said: dict[Place, Document | str] = {}

    def task(place: Place) -> tuple[Any, ...]:
        under = [id for id in _under(*place) if not isinstance(said.get((place[0], id), ""), str)]
        return _search, *place, {id: said[place[0], id] for id in under}

    _in_turn(below, task, said, jobs)
    return {key: {id: said[key, id] for id in _steps(key)} for key in keys}


def questions(keys: Iterable[str], jobs: int) -> dict[str, dict[str, Document]]:
    """The certificates of what papers' statements come down to, each once.

    Arguments:
        keys: of the papers.
        jobs: processes.
    """
    places = [(key, id) for key in keys for id in catalog.statement_ids(key)]
    said: dict[Place, dict[str, Document]] = {}
    if jobs == 1:
        said = {(key, id): certifying.questions(id) for key, id in places}
    else:
        _in_turn(dict.fromkeys(places, ()), lambda place: (certifying.questions, place[1]), said, jobs)
    found: dict[str, dict[str, Document]] = {key: {} for key in keys}
    for key, id in places:
        found[key] = said[key, id] | found[key]
    return found


def collect_rarely() -> None:
    """Look for cycles seldom: a search makes many small things and hardly a cycle."""
    gc.set_threshold(100_000, 50, 100)


def _in_turn(
    below: Mapping[Place, Iterable[Place]],
    task: Callable[[Place], tuple[Any, ...]],
    said: dict[Place, Any],
    jobs: int,
) -> None:
    """Do tasks, each after those below it, as many at a time as there are processes."""
    waiting = {place: set(found) for place, found in below.items()}
    running: dict[Future[Any], Hashable] = {}
    with ProcessPoolExecutor(jobs, initializer=collect_rarely) as pool:
        while waiting or running:
            ready = [place for place, found in waiting.items() if found <= said.keys()]
            for place in ready[: 2 * jobs - len(running)]:
                del waiting[place]
                running[pool.submit(*task(place))] = place
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            said.update((running.pop(future), future.result()) for future in done)  # type: ignore[misc]


@cache
def _steps(key: str) -> dict[str, Step]:
    return certifying.with_used(certifying.steps_of(key))


@cache
def _under(key: str, id: str) -> tuple[str, ...]:
    """The steps that a step uses, and those that these use, in order."""
    ids = {s.id for s in used(_steps(key)[id])}
    return tuple(other for other in _steps(key) if other in ids)


@cache
def _accepted(key: str) -> dict[str, Proved]:
    """The steps of a paper that this process knows to be proved."""
    return {}


def _search(key: str, id: str, documents: Mapping[str, Document]) -> Document | str:
    """The certificate of a step, in a process of its own, with those of the steps that it uses."""
    known = _accepted(key)
    for other in (o for o in documents if o not in known):
        proved = accepted(_steps(key)[other], documents[other], known)
        if proved is not None:
            known[other] = proved
    under = {other: known[other] for other in documents if other in known}
    return _document(certifying.proof(_steps(key)[id], under))


def _document(found: Proved | str) -> Document | str:
    return str(found) if isinstance(found, str) else found.document
