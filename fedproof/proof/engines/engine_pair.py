"""Both engines asked the same question at the same time, each verdict remembered."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from threading import Event, Lock

from fedproof.proof.engines import verdict_cache as store
from fedproof.proof.engines.engine_process import BACKSTOP, CRASH, FAILURES, EngineProcess
from fedproof.proof.engines.resource_limits import CHECK, CPU, ENGINES, GRACE, LIMITS, ORDERS, WALL
from fedproof.proof.engines.smtlib import TRANSLATION, reordered
from fedproof.vocabulary.errors import InternalError


def engine_pair() -> EnginePair:
    """The pair of this process; a fork has its own."""
    return _pair(os.getpid())


@cache
def _pair(process: int) -> EnginePair:
    return EnginePair()


class EnginePair:
    """z3 and cvc5, each in its child process.

    Arguments:
        cpu: seconds of processor time for a question in one order, a backstop.
        wall: seconds on the wall for a question, a backstop.
        grace: seconds for an engine that heeds no limit, once the other gave up.
        check: the same, once the other found a counterexample.

    >>> EnginePair().ask("(declare-const x Real) (assert (< (* x x) 0)) (check-sat)", 4.0)
    {'z3': 'unsat', 'cvc5': 'unsat'}
    """

    def __init__(
        self, cpu: float = CPU, wall: float = WALL, grace: float = GRACE, check: float = CHECK
    ) -> None:
        self._wall, self._grace, self._check = wall, grace, check
        self._children = {engine: EngineProcess(engine, cpu) for engine in ENGINES}
        self._lock = Lock()
        self._known: dict[str, str] = {}
        self._patience: dict[tuple[str, str], float] = {}

    def ask(self, text: str, seconds: float) -> dict[str, str]:
        """What each engine answers, from memory where it has answered before.

        Arguments:
            text: SMT-LIB.
            seconds: how much work, in the engines' own units; see `limits`.

        Returns: engine -> "sat", "unsat", "unknown", or "unknown (...)" with limit,
            backstop, memory or crash between the brackets.
        Raises: InternalError where an engine cannot be started or cannot read the text.
        """
        keys = {e: _key(e, text, LIMITS[e].of(seconds)) for e in ENGINES}
        with self._lock:
            stored = {e: a for e in ENGINES if (a := self._recall(keys[e], e, text)) is not None}
            missing = [e for e in ENGINES if e not in stored]
            answers = self._both(missing, text, seconds, stored) if missing else stored
            for engine in missing:
                self._remember(keys[engine], engine, answers[engine])
        return {e: answers[e] for e in ENGINES}

    def _both(
        self, engines: list[str], text: str, seconds: float, stored: Mapping[str, str]
    ) -> dict[str, str]:
        """What was found, and the answers of these engines, which think at the same time."""
        answers = dict(stored)
        halts = {e: Event() for e in engines}
        with ThreadPoolExecutor(len(engines)) as pool:
            try:
                thinking = {e: pool.submit(self._think, e, text, seconds, halts[e]) for e in engines}
                for engine, answer in thinking.items():
                    most = self._most(engine, answers)
                    answers[engine] = self._wait(engine, text, answer, most, halts[engine])
            finally:  # none is left thinking, also when we are interrupted
                for engine in engines:
                    if engine not in answers:
                        self._stop(engine, halts[engine])
        return answers

    def _think(self, engine: str, text: str, seconds: float, halt: Event) -> str:
        """Its answer in the first order in which its own alarm does not end it."""
        said = BACKSTOP
        for order in range(ORDERS):
            if said == BACKSTOP and not halt.is_set():
                said = self._children[engine].ask(reordered(text, order), LIMITS[engine].of(seconds))
        return said

    def _stop(self, engine: str, halt: Event) -> None:
        halt.set()
        self._children[engine].stop()

    def _most(self, engine: str, answers: Mapping[str, str]) -> float:
        """Seconds to wait for an engine: all of them while a proof is possible, else few."""
        said = set(answers.values()) - {"unsat"}
        if not said or LIMITS[engine].heeded:
            return self._wall
        return self._check if "sat" in said else self._grace

    def _wait(self, engine: str, text: str, answer: Future[str], most: float, halt: Event) -> str:
        """Its answer within `most` seconds over all the times it was asked this; then it is stopped."""
        spent = self._patience.get((engine, text), 0.0)
        try:
            said = answer.result(max(most - spent, 0.0))
        except TimeoutError:
            self._stop(engine, halt)
            said = answer.result()
            if said == BACKSTOP:
                self._patience[engine, text] = most
                return said
        if said == BACKSTOP:  # its own alarm, in every order
            self._patience[engine, text] = self._wall
        return said

    def _recall(self, key: str, engine: str, text: str) -> str | None:
        if self._patience.get((engine, text), 0.0) >= self._wall:
            return BACKSTOP
        answer = self._known.get(key)
        if answer is None and LIMITS[engine].version is not None:
            answer = store.read_cached(key)
        return answer

    def _remember(self, key: str, engine: str, answer: str) -> None:
        if answer.startswith(FAILURES):
            raise InternalError(f"{engine}: {answer}")
        if answer not in (BACKSTOP, CRASH):
            self._known[key] = answer
        if LIMITS[engine].version is not None:
            store.write_cached(key, answer)


def _key(engine: str, text: str, units: int) -> str:
    return store.key(TRANSLATION, engine, LIMITS[engine].version, units, text)
