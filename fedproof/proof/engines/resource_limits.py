"""How long an engine may think: counted in its own units of work, which no slow machine changes."""

from __future__ import annotations

from dataclasses import dataclass

from fedproof.vocabulary.discovery import version_of

#: seconds of processor time for one question put in one order, enforced by the child itself: a backstop
CPU = 5.0
#: orders in which a question is put to an engine that its alarm ended: one that is lost in one order of the
#: variables may need milliseconds in another, so that several short trials prove more than a long one
ORDERS = 6
#: seconds on the wall for one question, enforced by the parent: for a child that does not even count
WALL = 300.0
#: seconds on the wall for an engine that heeds no limit, once the other gave up: it may still find a
#: counterexample; and once the other found one: it may still contradict it, which would be our mistake
GRACE, CHECK = 10.0, 1.0
#: bytes of address space for an engine's process
MEMORY = 2 << 30


@dataclass(frozen=True)
class ResourceLimit:
    """The units of work of one engine.

    Arguments:
        package: the distribution whose version decides what an answer is worth.
        units: of work for each second asked for; where this was measured they took 0.03 to 0.7 seconds.
        heeded: whether the engine keeps the limit in everything it does. cvc5 does not look at it inside
            a step of its coverings, so there a clock may have to end it.
    """

    package: str
    units: int
    heeded: bool

    def of(self, seconds: float) -> int:
        """Units of work for so many seconds, at least one, since 0 would mean no limit.

        >>> LIMITS["z3"].of(4), LIMITS["z3"].of(0)
        (1000000, 1)
        """
        return max(1, round(self.units * seconds))

    @property
    def version(self) -> str | None:
        """The engine's version, or None where it was not installed as a package."""
        return version_of(self.package)


LIMITS = {"z3": ResourceLimit("z3-solver", 250_000, True), "cvc5": ResourceLimit("cvc5", 125_000, False)}
ENGINES = tuple(LIMITS)
