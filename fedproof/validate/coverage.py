"""Where fedproof judges what a paper's page says: the table `coverage.csv` of the paper's folder.

Each piece of the page (`fedproof.validate.page`) has a row. It is bound to the text by a digest and quotes
nothing of it. What a piece says is one of `KINDS`; a lead-in repeats the display that it leads to. The
entries are ids of statements, steps, assumptions, figures and algorithms, places of settings, for a duplicate
the rows that it repeats, and `open` for what, in part or whole, nothing judges. What a claim says besides of
other works, that it is new or that something is hard, is no claim and needs no entry.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fedproof.bounds import catalog
from fedproof.validate.page import Piece
from fedproof.vocabulary.discovery import folder_of, packages, paper_modules
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.papers import paper
from fedproof.vocabulary.plurals import count

FILE = "coverage.csv"
COLUMNS = ("section", "paragraph", "sentence", "digest", "equations", "says", "entry")
KINDS = ("claim", "definition", "notation", "motivation", "related work", "duplicate")
OPEN = "open"

#: citations, numbers of equations, and what a name has a number for
_REFERENCE = re.compile(
    r"\[[^\]]*\d[^\]]*\]|\((?:\d+[a-z]?|A\.\d)\)|^\(?\d+[:.)]|"
    r"(?:Figs?\.|Figures?|Tables?|Sections?|Sec\.|[Ll]ines?|steps|Lemmas?|Theorems?|Thm\.|Assumptions?|Facts?"
    r"|Corollary|Remark|Algorithm|Alg\.|Appendix|[Ee]qs?\.|and|to|or)\s[A-Z\d]\d*(?:\.\d+)*(?:-\(\d\))?(?!\w)"
)
_FORMULA = re.compile(r"\$[^$]*\$|\\\w+|[^\x00-\x7f]+\S*|\S*[_^{}\\]\S*")
_CLAIMING = re.compile(
    r"\b(?:always|never|cannot|exactly|guarantee\w*|(?:con|di)verg(?:es?|ed|ing)|(?:sub)?linear(?:ly)?|rates?"
    r"|increas\w+|decreas\w+|reduces?|improves?|outperform\w*|superior\w*|faster|slower|better|worse|worst"
    r"|best|larger|smaller|higher|lower|stronger|stricter|more|less|fewer|than|bounded|\d+(?:[.,]\d+)*)\b"
)


@dataclass(frozen=True)
class Row:
    """One piece of the page: its place, digest and equations, what it says, and where that is judged."""

    section: str
    paragraph: int
    sentence: int
    digest: str
    equations: tuple[str, ...]
    says: str
    entry: tuple[str, ...]

    @property
    def key(self) -> str:
        """Section, paragraph and sentence, by which a duplicate names what it repeats."""
        return f"{self.section}/{self.paragraph}/{self.sentence}"

    def of(self, piece: Piece) -> bool:
        """Whether this is the row of this piece."""
        place = (self.section, self.paragraph, self.sentence, self.digest, self.equations)
        return place == (piece.section, piece.paragraph, piece.sentence, piece.digest, piece.equations)


def rows(key: str) -> tuple[Row, ...]:
    """A paper's table, in the order of the page; no rows where the paper has none.

    >>> rows("fedproxvr")[0].key
    'Abstract/1/1'
    """
    file = folder_of(packages()[paper(key).key]) / FILE
    return read(file.read_text(encoding="utf-8"), f"{FILE} of {key}") if file.is_file() else ()


def read(text: str, what: str = FILE) -> tuple[Row, ...]:
    r"""The rows of a table's text.

    Raises: InputError for other columns, a place that is no number and a kind that is none of `KINDS`.

    >>> print(read(",".join(COLUMNS) + "\n3,9,1,7f000000,5,definition,open\n")[0].key)
    3/9/1
    """
    header, *lines = [*csv.reader(text.splitlines())] or [[]]
    if tuple(header) != COLUMNS:
        raise InputError(what, ",".join(header), f"the columns {','.join(COLUMNS)}")
    return tuple(_row(line, what) for line in lines)


def _row(line: list[str], what: str) -> Row:
    wrong = InputError(what, ",".join(line), f"a place, and one of {', '.join(KINDS)}", "mend the row")
    if len(line) != len(COLUMNS):
        raise wrong
    section, paragraph, sentence, digest, equations, says, entry = line
    if not (paragraph.isdigit() and sentence.isdigit() and says in KINDS):
        raise wrong
    named = tuple(name.strip() for name in entry.split(";") if name.strip())
    return Row(section, int(paragraph), int(sentence), digest, tuple(equations.split()), says, named)


def names(key: str) -> frozenset[str]:
    """What an entry of a paper's table may name, but for the rows that duplicates repeat."""
    figures = {id for id in paper_modules("figures") if id.startswith(f"{key}.")}
    told = {*catalog.statement_ids(key), *(step.id for step in catalog.steps(key)), *catalog.assumptions(key)}
    return frozenset(
        told | figures | set(paper(key).algorithms) | {s.where for s in catalog.settings(key)} | {OPEN}
    )


def faults(table: tuple[Row, ...], known: frozenset[str]) -> Iterator[str]:
    """What is wrong with a table's entries, a line each: names of nothing, and claims that name nothing.

    >>> [*faults(read(",".join(COLUMNS) + "\\n1,1,1,0,,claim,\\n1,1,2,0,,duplicate,1/1/2\\n"), frozenset())]
    ['1/1/1: a claim names no entry', '1/1/2: repeats 1/1/2, which is no row that says something itself']
    """
    itself = {row.key for row in table if row.says != "duplicate"}
    for row in table:
        if row.says in ("claim", "duplicate") and not row.entry:
            yield f"{row.key}: a {row.says} names no entry"
        for name in row.entry:
            if row.says == "duplicate" and name not in itself:
                yield f"{row.key}: repeats {name}, which is no row that says something itself"
            if row.says != "duplicate" and name not in known:
                yield f"{row.key}: names {name}, which is nothing of the paper"


def claims(text: str) -> bool:
    """Whether a sentence reads like a claim: a number, comparison or rate in words, or one of certain words.

    >>> [claims(x) for x in ("It cannot converge.", "We cite [7] in Sec. 5.", "With 7 of 10 it holds.")]
    [True, False, True]
    """
    return bool(_CLAIMING.search(_FORMULA.sub(" ", _REFERENCE.sub(" ", text))))


def gaps(table: tuple[Row, ...]) -> dict[str, str]:
    """What is open in part or whole, by place, and its kind; what repeats such a row is open as that row is.

    >>> text = "\\n1,1,1,0,,claim,open\\n1,1,2,0,,duplicate,1/1/1\\n1,1,3,0,,definition,\\n"
    >>> gaps(read(",".join(COLUMNS) + text))
    {'1/1/1': 'claim', '1/1/2': 'claim'}
    """
    found = {row.key: row.says for row in table if OPEN in row.entry}
    repeated = {row.key: [found[key] for key in row.entry if key in found] for row in table}
    return found | {key: kinds[0] for key, kinds in repeated.items() if kinds}


def coverage(key: str) -> str:
    """A line: how many pieces a paper's page has, how many of each kind, and how many have an open part.

    >>> coverage("fedproxvr").split(" (")[0]
    'fedproxvr: 370 pieces'
    """
    table = rows(key)
    kinds = Counter(row.says for row in table)
    left = Counter(kind == "claim" for kind in gaps(table).values())
    each = ", ".join(f"{kinds[kind]} {kind}" for kind in KINDS)
    open_ones = f"{count(left[True], 'claim')} and {count(left[False], 'other piece')}"
    return f"{key}: {count(len(table), 'piece')} ({each}); {open_ones} open in part or whole"
