"""Splits the text of a paper, as optical recognition gives it, into the pieces that claims stand in.

A block is what blank lines enclose. Captions, footnotes, listings and tables are blocks of their own, and
prose that one of them, or a page's end, interrupts goes on behind it. A paragraph is a block; its sentences
are those of prose and captions, the lines of listings and tables, and one for a display. What stands before
the abstract, the key words, the references and lines without a Latin letter or digit are left out.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import dropwhile

LISTING, TABLE, CAPTION, NOTE, DISPLAY, LABEL, PROSE = range(7)

_TITLE = r"[A-Z](?= [A-Z]{2}| Appendix| [A-Z][a-z]+(?: [A-Z]?[a-z\d]+)*$)"
_NUMBERED = rf"(?:Appendix )?(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+|{_TITLE})(?:\s+\D|\.\s+[A-Z]).*"
_HEADING = re.compile(rf"{_NUMBERED}|Appendix ([A-Z])\.\s+[A-Z].*")
_RUN_IN = re.compile(r"([A-Z](?:\.\d+)+) [^.]*\. (?=[A-Z])")
_LEFT_OUT = re.compile(r"KEYWORDS|keywords:[\s\S]*|References|REFERENCES")
#: of an appendix, where it stands among the references
_FLOAT = re.compile(r"Algorithm \d+ [A-Z][^.]*")
_NAMED = r"(?:Assumption|Theorem|Lemma|Corollary|Remark|Fact) [A-Z\d][.\d]*(?: \([^)]*\))?"
_LABEL = re.compile(_NAMED + r"\.?|\d+\. \(\d+\)")
_STARTS_BLOCK = re.compile(rf"Abstract$|(?:Figure|Table) \d+:|- |\d+:|Algorithm \d+ [A-Z][^.]*$|{_NAMED}\.$")
_STARTS_PARAGRAPH = re.compile(_NAMED + r"\.|[a-z]\) ")
_RENDERING = re.compile(r"```.*|Refer to caption|\{pf\}|\\+")
#: a display has none of these
_WORD = re.compile(r"(?<!\S)(?:the|of|we|is|are|and|to|for|with|where|that|by|have|which|if|so)(?!\S)")
_FORMULA = re.compile(r"\\|[=≤≥∈≈]")
_READABLE = re.compile(r"[A-Za-z\d]")
_END = re.compile(r"(?<=[.?!])(?:[”\"*)])*\s+(?=[A-Z“(\[$])")
_HYPHEN = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
_NO_END = re.compile(rf"\b(?:e\.g|i\.e|cf|al|Figs?|Eqs?|eqs?|Alg|Thm|Sec|resp|vs)\.$|^{_NAMED}\.?$|^\d+\.$")
_NUMBER = re.compile(
    r"\((\d+[a-z]?)\)(?=[\s\\,.]*(?:\\end\{\w+\}\s*|\$\$)|\s*$|\s*\\\\)|\\tag\{(\d+[a-z]?)\}", re.MULTILINE
)


@dataclass(frozen=True)
class Piece:
    """A sentence, display, caption, line of a listing or row of a table, with the equations it numbers."""

    section: str
    paragraph: int
    sentence: int
    text: str
    equations: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits of SHA-256 of the text in compatibility form, without spaces.

        >>> Piece("1", 1, 1, "A convex loss.").digest == Piece("1", 1, 1, "A convex\\nloss.").digest
        True
        """
        bare = "".join(unicodedata.normalize("NFKC", self.text).split())
        return hashlib.sha256(bare.encode()).hexdigest()[:8]


def split(text: str) -> tuple[Piece, ...]:
    r"""The pieces of a paper's text, in the order of the page.

    >>> text = "Us\n\nAbstract\n\nWe do.\n\n1 Loss\n\nBy Fig. 2 we have\n\n$$x = 1. \\quad (1)$$"
    >>> [(p.section, p.paragraph, p.sentence, p.equations) for p in split(text)]
    [('Abstract', 1, 1, ()), ('1', 1, 1, ()), ('1', 2, 1, ('1',))]
    """
    return tuple(
        Piece(section, paragraph, sentence, piece, _numbers(kind, piece))
        for section, blocks in _sections(text)
        for paragraph, (kind, block) in enumerate(_joined(blocks), 1)
        for sentence, piece in enumerate(_pieces(kind, block), 1)
    )


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Each section's number with its blocks; nothing of what is left out."""
    section, blocks = "", list[str]()
    for block in dropwhile(lambda block: block.lower() != "abstract", _blocks(text)):
        heading, run_in = _HEADING.fullmatch(block), _RUN_IN.match(block)
        number = heading[1] or heading[2] if heading and len(block) < 80 and not block.endswith(".") else ""
        if block.lower() == "abstract":
            number = "Abstract"
        if run_in:
            number, block = run_in[1], block[run_in.end() :]
        if number or _LEFT_OUT.fullmatch(block):
            if section:
                yield section, blocks
            section, blocks = number, [block] if run_in else []
        elif not section and _FLOAT.fullmatch(block):
            section, blocks = "References", [block]
        elif section:
            blocks.append(block)
    yield section, blocks


def _blocks(text: str) -> Iterator[str]:
    """What blank lines enclose, and what a caption, a list's item or a listing's line begins."""
    block = list[str]()
    for line in [*text.splitlines(), ""]:
        line = line.strip()
        if block and (not line or _STARTS_BLOCK.match(line)):
            yield "\n".join(block)
            block = []
        if line and not _RENDERING.fullmatch(line):
            block.append(line.removeprefix("- "))


def _kind(block: str) -> int:
    if re.match(r"\d+:|Algorithm \d+ [A-Z][^.]*$", block):
        return LISTING
    if "\t" in block:
        return TABLE
    if block.startswith("$$") or (_FORMULA.search(block) and not _WORD.search(block)):
        return DISPLAY
    if re.match(r"(?:Figure|Table) \d+:", block):
        return CAPTION
    if re.match(r"[¹²³*]", block):
        return NOTE
    return LABEL if _LABEL.fullmatch(block) else PROSE


def _joined(blocks: list[str]) -> list[tuple[int, str]]:
    """The blocks with their kinds: interrupted prose goes on, a listing's lines are one block."""
    found: list[tuple[int, str]] = []
    for block in (b for b in blocks if _READABLE.search(b)):
        kind = _kind(block)
        flow = next((i for i in reversed(range(len(found))) if found[i][0] in (DISPLAY, LABEL, PROSE)), None)
        if kind == LISTING and found and found[-1][0] == LISTING:
            found[-1] = (LISTING, f"{found[-1][1]}\n\n{block}")
        elif kind == PROSE and flow is not None and _goes_on(found[flow], block):
            found[flow] = (PROSE, f"{found[flow][1]} {block}")
        else:
            found.append((kind, block))
    return found


def _goes_on(before: tuple[int, str], block: str) -> bool:
    kind, text = before
    return kind == LABEL or (kind == PROSE and text[-1] not in ".:?!" and not _STARTS_PARAGRAPH.match(block))


def _pieces(kind: int, block: str) -> Iterator[str]:
    if kind == LISTING:
        yield from block.split("\n\n")
    elif kind == TABLE:
        yield from block.split("\n")
    elif kind == DISPLAY:
        yield block
    else:
        start, line = 0, " ".join(_HYPHEN.sub("", block).split())
        for end in _END.finditer(line):
            if not _NO_END.search(line[start : end.start()]):
                yield line[start : end.start()]
                start = end.end()
        yield line[start:]


def _numbers(kind: int, piece: str) -> tuple[str, ...]:
    return tuple(m[1] or m[2] for m in _NUMBER.finditer(piece)) if kind == DISPLAY else ()
