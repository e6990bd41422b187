"""The grammar of relations as text: cut into words, read into parts; nothing is evaluated."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from fedproof.vocabulary.errors import InputError, shorten

#: characters of a text; how deep parentheses, powers and signs stand within each other; arguments of max
LENGTH, DEPTH, MOST = 4000, 40, 8
#: functions and how many arguments they take; None for two to `MOST`
HEADS = {
    "sqrt": 1, "abs": 1, "exp": 1, "log": 1, "max": None, "min": None,
    "norm": 1, "n2": 1, "ip": 2, "sum": 4, "E": 1,
}  # fmt: skip
RELATIONS = ("<=", ">=", "<", ">", "=", "!=")

_WORD = re.compile(
    r"(?P<number>(?:\d+(?:\.(?!\.)\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z]\w*'*)"
    r"|(?P<sign>\*\*|<=|>=|==|!=|\.\.|[-+*/^(),<>=≤≥≠−·×])",
    re.ASCII,
)
_SAME = {"**": "^", "==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "−": "-", "·": "*", "×": "*"}
_CURES = {
    "|": "write abs(x) of a number, norm(v) of a vector",
    "[": "write (", "]": "write )", "{": "write (", "}": "write )",
    "²": "write ^2", "³": "write ^3", "√": "write sqrt(...)", "∑": "write sum(a(t), t, 1, T)",
    "&": "put a comma between relations", ";": "put a comma between relations",
    "!": "write != for not equal", ".": "write 0.5, or 1..T for a range", "_": "begin names with a letter",
}  # fmt: skip
_OPERATOR = "an operator or the end"


@dataclass(frozen=True)
class Place:
    """Where something stands in a text.

    Arguments:
        label: what the text is: "claim" or "given 2".
        text: all of it.
        at, end: its first character and the one after its last.
    """

    label: str
    text: str
    at: int
    end: int

    @property
    def words(self) -> str:
        """What stands there."""
        return self.text[self.at : self.end] or "the end"

    def error(self, expected: str, cure: str = "", got: str = "") -> InputError:
        """What is wrong here."""
        return InputError(f"{self.label}, character {self.at + 1}", got or self.words, expected, cure)


@dataclass(frozen=True)
class Word:
    """A number, a name or a sign of a text; the end is the empty sign."""

    kind: str
    text: str
    place: Place


@dataclass(frozen=True)
class Part:
    """An operation of a text and its operands.

    Arguments:
        head: "number" or "name"; "+", "*" of many, "-", "/" of one (minus and one over it), "^" of two; "of"
            for what is written name(...).
        word: the digits or the name.
        parts: the operands.
        place: where it stands.
    """

    head: str
    word: str
    parts: tuple[Part, ...]
    place: Place


@dataclass(frozen=True)
class Relation:
    """Two sides compared, for every index from one end to another where `over` says so."""

    sign: str
    left: Part
    right: Part
    over: tuple[Part, Part, Part] | None
    place: Place


def read(text: str, label: str) -> tuple[Relation, ...]:
    """The relations of a text: chains and commas make several.

    Arguments:
        text: such as "0 <= x <= 1, y = 2*x" or "a(t) <= b(t) for t = 1..T".
        label: what it is called where it is wrong.

    Raises: InputError, in one line that names the place.

    >>> [(r.sign, r.left.word, r.right.word) for r in read("0 <= x <= 1", "given 1")]
    [('<=', '0', 'x'), ('<=', 'x', '1')]
    """
    if not isinstance(text, str):
        raise InputError(label, text, "a relation as text", 'write "x >= 0"')
    if len(text) > LENGTH:
        raise InputError(label, f"{len(text)} characters", f"at most {LENGTH}", "name its parts")
    return _Reader(_words(text, label)).relations()


def _words(text: str, label: str) -> tuple[Word, ...]:
    found, at = [], 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        match = _WORD.match(text, at)
        if match is None:
            raise _strange(Place(label, text, at, at + 1))
        kind, said = str(match.lastgroup), match.group()
        found.append(Word(kind, _SAME.get(said, said), Place(label, text, at, match.end())))
        at = match.end()
    return (*found, Word("sign", "", Place(label, text, len(text), len(text))))


def _strange(place: Place) -> InputError:
    """A character that no word has; look-alikes and Greek letters are told by their names."""
    letter = place.words
    name = unicodedata.name(letter, "")
    expected = "letters a-z, digits, + - * / ^ ( ) , <= >= < > = !="
    cure = _CURES.get(letter, "")
    if not cure and name.startswith("GREEK") and "LETTER" in name:
        cure = f"write {name.partition('LETTER ')[2].split()[0].lower()}"
    got = letter if letter.isascii() or not name else f"{letter} ({name.lower()})"
    return place.error(expected, cure or "leave it out", got)


class _Reader:
    """Reads words from left to right."""

    def __init__(self, words: tuple[Word, ...]) -> None:
        self.words, self.at, self.depth = words, 0, 0

    @property
    def next(self) -> Word:
        return self.words[self.at]

    def take(self, *signs: str) -> str:
        """The next word's sign if it is one of these, which is then behind; else ""."""
        if self.next.kind != "sign" or self.next.text not in signs or not self.next.text:
            return ""
        self.at += 1
        return self.words[self.at - 1].text

    def since(self, start: int) -> Place:
        """From the word at `start` to the last that was taken."""
        first, last = self.words[start].place, self.words[max(self.at - 1, start)].place
        return Place(first.label, first.text, first.at, last.end)

    def relations(self) -> tuple[Relation, ...]:
        found = [*self.chain()]
        while self.take(","):
            found += self.chain()
        if self.next.text:
            raise self.unfinished()
        return tuple(found)

    def unfinished(self) -> InputError:
        """What stands where an operator belongs."""
        word, before = self.next, self.words[self.at - 1]
        if word.text == ")":
            return word.place.error("no ) without a (", "leave it out, or open it before")
        if word.text in RELATIONS:
            return word.place.error("one relation", "put a comma between relations")
        if word.kind == "sign" and word.text != "(":
            return word.place.error(_OPERATOR)
        if word.text in ("and", "or") or before.kind == "sign":
            cure = "put * between factors, a comma between relations"
        else:
            cure = f"write {shorten(f'{before.text}*{word.text}', 30)} for a product"
        return word.place.error(_OPERATOR, cure)

    def chain(self) -> tuple[Relation, ...]:
        start, sides, signs = self.at, [self.side()], []
        while sign := self.take(*RELATIONS):
            if self.next.text in RELATIONS:
                raise self.next.place.error("one sign", "write <=, >=, <, >, = or !=")
            signs.append(sign)
            sides.append(self.side())
        if not signs:
            if self.next.text:
                raise self.unfinished()
            raise self.since(start).error("a relation", 'compare it, as in "x >= 0"')
        over = self.over()
        place = self.since(start)
        return tuple(Relation(s, a, b, over, place) for s, (a, b) in zip(signs, pairwise(sides), strict=True))

    def over(self) -> tuple[Part, Part, Part] | None:
        """The index and its ends of `for t = 1..T`, if it follows."""
        if self.next.text != "for":
            return None
        self.at += 1
        index = self.atom()
        if index.head == "name" and self.take("="):
            first = self.side()
            if self.take(".."):
                return index, first, self.side()
        raise self.next.place.error("a range", "write for t = 1..T")

    def side(self) -> Part:
        start, parts = self.at, [self.term()]
        while sign := self.take("+", "-"):
            minus = self.at - 1
            term = self.term()
            parts.append(term if sign == "+" else Part("-", "", (term,), self.since(minus)))
        return parts[0] if len(parts) == 1 else Part("+", "", tuple(parts), self.since(start))

    def term(self) -> Part:
        start, parts = self.at, [self.factor()]
        while sign := self.take("*", "/"):
            over = self.at - 1
            factor = self.factor()
            parts.append(factor if sign == "*" else Part("/", "", (factor,), self.since(over)))
        return parts[0] if len(parts) == 1 else Part("*", "", tuple(parts), self.since(start))

    def factor(self) -> Part:
        """A signed power; the sign belongs to the whole power, as in -x^2."""
        start, sign = self.at, self.take("+", "-")
        if not sign:
            return self.power()
        inner = self.deeper(self.factor)
        return inner if sign == "+" else Part("-", "", (inner,), self.since(start))

    def power(self) -> Part:
        start, base = self.at, self.atom()
        if not self.take("^"):
            return base
        return Part("^", "", (base, self.deeper(self.factor)), self.since(start))

    def atom(self) -> Part:
        start, word = self.at, self.next
        if self.take("("):
            inner = self.deeper(self.side)
            self.close(start)
            return inner
        if word.kind == "sign":
            cure = "" if len(self.words) > 1 else "write a relation, such as x >= 0"
            raise word.place.error("a number, a name or (", cure)
        self.at += 1
        if word.kind == "number" or not self.take("("):
            return Part(word.kind, word.text, (), word.place)
        parts = [self.deeper(self.side)]
        while self.take(","):
            parts.append(self.deeper(self.side))
        self.close(start)
        made = Part("of", word.text, tuple(parts), self.since(start))
        _count(made)
        return made

    def close(self, start: int) -> None:
        if not self.take(")"):
            if self.next.text in ("", *RELATIONS):
                raise self.words[start].place.error("a ) for each (", "close it")
            raise self.unfinished()

    def deeper(self, inner: Callable[[], Part]) -> Part:
        self.depth += 1
        if self.depth > DEPTH:
            raise self.next.place.error(f"at most {DEPTH} levels", "name its parts")
        found = inner()
        self.depth -= 1
        return found


def _count(call: Part) -> None:
    """A function takes as many arguments as it has."""
    if call.word not in HEADS:
        return
    wanted, given = HEADS[call.word], len(call.parts)
    if given != wanted and not (wanted is None and 2 <= given <= MOST):
        usual = {"sum": "sum(a(t), t, 1, T)", "ip": "ip(u, v)", None: f"{call.word}(x, y)"}
        said = usual.get(call.word, f"{call.word}(x)" if wanted else usual[None])
        raise call.place.error(f"{wanted or f'2 to {MOST}'} in {call.word}(...)", f"write {said}")
