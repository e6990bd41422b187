"""The words of verdicts: how they are coloured and counted, and what they mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

_TONES = {
    "good": ("holds", "consistent", "admissible", "proved", "applies", "certified", "confirmed",
             "recommended"),
    "bad": ("refuted", "violated", "vacuous", "not admissible", "not certified", "diverged", "not confirmed",
            "theorem refuted", "theorem refuted, not useful", "exceeded by its run"),
    "warn": (
        "holds amended", "open", "inconclusive", "conditional", "damaged", "not attained", "undecided",
        "not read", "certified, not useful", "on estimates", "on estimates, not useful",
        "on estimates that are too low", "theorem open", "theorem open, not useful",
    ),
}  # fmt: skip
FITS = {True: "admissible", False: "not admissible", None: "undecided"}
#: what a reader must know, in the order of the page: heading, then words and what they mean
GLOSSARY = (
    ("A statement", (
        ("holds", "Its proof has a certificate that a small program checks, from the paper's assumptions "
                  "alone."),
        ("holds amended", "It holds with a convention or hypothesis that the text does not state, which is "
                          "shown with it, or under one reading of the text, which is named."),
        ("refuted", "An instance in exact or interval arithmetic satisfies every hypothesis and breaks the "
                    "claim. What is printed is never edited: a correction is a statement of its own, and "
                    "ours."),
        ("vacuous", "Nothing satisfies its hypotheses."),
        ("open", "It was neither proved nor refuted here. It counts as nothing. A claim about a run on "
                 "data, or about a curve, is no consequence of the theory and stays open; the figures "
                 "compare it with runs."),
    )),
    ("A line of a proof", (
        ("proved", "It follows from its listed hypotheses, by a certificate or, where that is said, by "
                   "engines."),
        ("refuted", "Exact numbers satisfy its hypotheses and break it. The statement that it serves may "
                    "still hold, by way of a repair."),
        ("damaged", "It is false only as one rendering of the text has it."),
        ("cited", "It is taken from another text and not decided here."),
        ("open", "No certificate was found, and no counterexample."),
    )),
    ("A setting of the paper", (
        ("admissible", "Some values of what the text leaves unsaid satisfy every condition of the "
                       "statement."),
        ("not admissible", "None do: the paper's own experiment lies outside its own theorem."),
        ("undecided", "Neither could be shown."),
    )),
    ("A run against a statement", (
        ("consistent", "Measured over many seeds, or in exact expectation, the bound was kept. That proves "
                       "nothing."),
        ("conditional", "It was kept for a constant that was measured along the run and is not known "
                        "elsewhere."),
        ("violated", "It was not kept, in a one-sided test corrected for everything tested and repeated on "
                     "fresh seeds. Where the line or statement was already refuted this is how its failure "
                     "looks in a run."),
        ("inconclusive", "The seeds do not decide it."),
        ("not applicable", "The conditions do not hold there, so that it promises nothing."),
    )),
    ("Other words", (
        ("printed and ours", "Printed is what judges a piece of the paper's page. Ours are corrections, "
                             "sharper forms, corollaries, and the lines between two printed ones that a "
                             "checked proof needs."),
        ("distinct error", "One mistake, however many lines and statements it spoils; each refuted line "
                           "and statement belongs to exactly one."),
        ("bound over measured", "How many times what was measured fits into the bound; below 1 the bound "
                                "is broken."),
        ("best parameters", "The least value of a stated objective, with a proven lower bound: no "
                            "admissible parameters do better than “at least”."),
    )),
)  # fmt: skip


def tone(word: str) -> str:
    """How a verdict is coloured: good, bad, warn or none.

    >>> tone("holds"), tone("refuted"), tone("open"), tone("not applicable")
    ('good', 'bad', 'warn', 'none')
    """
    return next((name for name, words in _TONES.items() if word in words), "none")


def counts(given: Iterable[str], words: Iterable[str]) -> tuple[tuple[int, str], ...]:
    """How often each of some words is found; those that are not are left out."""
    many = Counter(given)
    return tuple((many[word], word) for word in words if word in many)


def counted(found: Iterable[tuple[int, str]]) -> str:
    """Counts in words.

    >>> counted([(3, "holds"), (1, "open")])
    '3 holds, 1 open'
    """
    return ", ".join(f"{many} {word}" for many, word in found)


def fit(setting: Mapping[str, Any]) -> str:
    """Whether a stated setting can satisfy a statement, in a word.

    >>> fit({"admissible": True}), fit({"admissible": None})
    ('admissible', 'undecided')
    """
    return FITS[setting["admissible"]]
