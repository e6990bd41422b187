"""A caption as data: claims with what was measured and a word for each, and what was substituted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from fedproof.vocabulary.errors import InternalError
from fedproof.vocabulary.plurals import count
from fedproof.vocabulary.result import Shown, Table

SEEN = "seen"
NOT_SEEN = "not seen"
NOT_TOLD_APART = "not told apart"
TOO_SHORT = "too short to tell"
NOT_APPLICABLE = "not applicable"
WORDS = (SEEN, NOT_SEEN, NOT_TOLD_APART, TOO_SHORT, NOT_APPLICABLE)


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim and what became of it.

    Arguments:
        claim: what the paper says, in a sentence.
        measured: what the table shows of it, with its numbers, in sentences.
        word: one of `WORDS`.
        ours: whether it is a control of ours, of which the paper says nothing.

    Raises: InternalError for another word.
    """

    claim: str
    measured: str
    word: str
    ours: bool = False

    def __post_init__(self) -> None:
        if self.word not in WORDS:
            raise InternalError(f"{self.word!r} is none of {', '.join(WORDS)}")


@dataclass(frozen=True)
class Caption(Shown):
    """All claims of a figure, and what was substituted for what the paper used or leaves open.

    >>> print(Caption((Claim("x rises.", "9 of 9 steps rise.", SEEN),), "Ten points are ours."))
    Agreement: Of 1 claim 1 is seen.
    Seen: x rises. Measured: 9 of 9 steps rise.
    Substituted: Ten points are ours.
    """

    claims: tuple[Claim, ...]
    substituted: str

    @property
    def agreement(self) -> str:
        """How many of the paper's claims got which word."""
        paper = [claim for claim in self.claims if not claim.ours]
        words = Counter(claim.word for claim in paper or self.claims)
        each = [f"{n} {'is' if n == 1 else 'are'} {word}" for word in WORDS if (n := words[word])]
        whose = "" if paper else " of ours (the paper has none)"
        return f"Of {count(words.total(), 'claim')}{whose} {', '.join(each)}."

    def __str__(self) -> str:
        """One labelled line for the agreement, for each claim, and for what was substituted."""
        rows = [(_label(row), f"{row.claim} Measured: {row.measured}") for row in self.claims]
        lines = [("Agreement", self.agreement), *rows, ("Substituted", self.substituted)]
        return "\n".join(f"{label}: {text}" for label, text in lines)

    def headline(self) -> str:
        """How the claims fared."""
        return self.agreement

    def tables(self) -> tuple[Table, ...]:
        """A claim a row, then what was substituted."""
        rows = tuple((row.claim, row.measured, _label(row)) for row in self.claims)
        substituted = Table("", ("", ""), (("substituted", self.substituted),))
        return Table("", ("claim", "measured", "word"), rows), substituted

    def to_dict(self) -> dict[str, Any]:
        """The caption as JSON data."""
        return {"claims": [asdict(claim) for claim in self.claims], "substituted": self.substituted}


def _label(claim: Claim) -> str:
    return f"Control, {claim.word}" if claim.ours else claim.word.capitalize()


def word_if(seen: bool, *, applies: bool = True, long_enough: bool = True) -> str:
    """The word for a claim that was looked at in one place.

    >>> word_if(True), word_if(False, long_enough=False)
    ('seen', 'too short to tell')
    """
    if not applies:
        return NOT_APPLICABLE
    if seen:
        return SEEN
    return NOT_SEEN if long_enough else TOO_SHORT


def sentences(parts: Iterable[str]) -> str:
    """Parts that say something, one after the other."""
    return " ".join(part.strip() for part in parts if part)
