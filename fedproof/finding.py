"""What speaks of something: statements, conditions, assumptions, algorithms, problems, figures by words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from fedproof.bounds import catalog
from fedproof.figures.catalog import figure_ids
from fedproof.vocabulary.discovery import addresses, read
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.own_file import FORGET
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.result import Result, Table

#: what has a file each, and what one is called
_PARTS = {
    "algorithms": "algorithm", "problems": "problem", "models": "model", "penalties": "penalty",
    "compressors": "compressor", "splits": "split",
}  # fmt: skip
_COLUMNS = ("kind", "name", "title")


@dataclass(frozen=True)
class Found(Result):
    """What speaks of some words.

    Arguments:
        words: as they were asked for.
        rows: kind, name and title each, those whose own name or title has all words first.
    """

    words: str
    rows: tuple[tuple[str, str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """The `find` document."""
        return {"words": self.words, "found": [dict(zip(_COLUMNS, row, strict=True)) for row in self.rows]}

    @property
    def frame(self) -> Any:
        """What was found as a pandas table."""
        import pandas as pd

        return pd.DataFrame(list(self.rows), columns=list(_COLUMNS))

    def headline(self) -> str:
        """How many."""
        return f"{len(self.rows)} found for {self.words}"

    def tables(self) -> tuple[Table, ...]:
        """One row each."""
        return (Table("", _COLUMNS, self.rows),) if self.rows else ()


def find(words: str) -> Found:
    """Search ids, titles and meanings of everything that has a name.

    Arguments:
        words: such as "local steps"; letters as they are typed or printed: sigma2, σ².

    Raises: InputError for no words.

    >>> [name for kind, name, _ in find("dithering").rows if kind == "compressor"]
    ['dithering']
    """
    wanted = _plain(words).split()
    if not wanted:
        raise InputError("words", repr(words), "a word or two", 'such as fedproof find "local steps"')
    near: list[tuple[str, str, str]] = []
    far: list[tuple[str, str, str]] = []
    for row, own, all_words in _all():
        if _begin(wanted, own):
            near.append(row)
        elif _begin(wanted, all_words):
            far.append(row)
    return Found(words, (*near, *far))


@cache
def _all() -> tuple[tuple[tuple[str, str, str], str, str], ...]:
    """Kind, name and title of everything, with its own words and these with what else speaks of it."""
    rows = []
    for kind, name, title, more in (*_stated(), *_assumed(), *_parts()):
        own = _plain(f"{name} {title}")
        rows.append(((kind, name, title), own, f"{own} {_plain(more)}"))
    return tuple(rows)


FORGET.append(_all.cache_clear)


def _stated() -> Iterator[tuple[str, str, str, str]]:
    """Kind, name, title and what else speaks of statements, assumptions and figures."""
    for key in papers():
        for st in catalog.statements(key):
            letters = " ".join(f"{x.name} {x.means} {x.quantity.meaning}" for x in st.letters)
            yield "statement", st.id, st.title, f"{st.source.where} {letters}"
            for condition in st.conditions:
                says = f"{condition.label}: {condition.relation}"
                yield "condition", st.id, says, condition.source
        for a in catalog.assumptions(key).values():
            yield "assumption", a.id, a.name, a.source.where
        yield from (("figure", id, "", "") for id in figure_ids(key))


def _assumed() -> Iterator[tuple[str, str, str, str]]:
    """The same of the conditions on how unlike clients are."""
    from fedproof.proof.conditions.table import CONDITIONS

    yield from (("condition", c.name, c.title, "") for c in CONDITIONS)


def _parts() -> Iterator[tuple[str, str, str, str]]:
    """The same of what has a file each."""
    for kind, word in _PARTS.items():
        for name, address in addresses(kind).items():
            said = read(address, lambda module: module.__doc__ or "").strip()
            yield word, name, said.splitlines()[0] if said else "", ""


def _begin(wanted: list[str], text: str) -> bool:
    """Whether each of some words begins one of a text's."""
    return all(f" {word}" in f" {text}" for word in wanted)


def _plain(text: str) -> str:
    """Small letters without accents, Greek ones by name, points and underscores as spaces."""
    shown = "".join(
        f" {unicodedata.name(c).split()[-1].lower()}" if "GREEK" in unicodedata.name(c, "") else c
        for c in text
    )
    small = unicodedata.normalize("NFKD", shown).lower()
    return "".join(" " if c in "._-(,;" else c for c in small if not unicodedata.combining(c))
