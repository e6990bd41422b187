"""Which names of a text are numbers, which are vectors and which sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fedproof.proof.text_grammar import HEADS, Part, Place, Relation
from fedproof.vocabulary.errors import InputError

Kinds = dict[str, str]

#: functions of mathematics that have no word here: read as sequences they would mislead
_NO_WORD = (
    "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "ln", "log2", "log10", "pow", "sqr",
    "square", "floor", "ceil", "sign", "mod", "prod", "integral", "diff", "root", "cbrt", "dot", "inner",
    "mean", "var", "Var", "tr", "det", "gamma",
)  # fmt: skip
_INSTEAD = {"ln": "log(x)", "pow": "x^y", "sqr": "x^2", "square": "x^2", "root": "sqrt(x)", "dot": "ip(u, v)",
            "inner": "ip(u, v)", "mean": "E(n2(u))", "cbrt": "x^(1/3)"}  # fmt: skip
_MEAN = "name the mean: a vector m, with E(ip(u - m, m)) = 0 given"


def kinds_of(relations: Sequence[Relation]) -> Kinds:
    """The kind of each name: "number", "vector" or "sequence".

    What stands within n2, norm or ip is a vector, or a number times a vector; where nothing else tells them
    apart, the last factor is the vector. An equation is one of vectors where one of its sides is a vector.

    Raises: InputError where one name is two things, or where what is said has no meaning.

    >>> from fedproof.proof.text_grammar import read
    >>> kinds_of(read("n2(x - eta*g) <= b", "claim"))
    {'x': 'vector', 'b': 'number', 'eta': 'number', 'g': 'vector'}
    """
    found = _Finder()
    for relation in relations:
        found.relation(relation)
    while found.open:
        if not found.settled():
            found.choose()
    return found.kinds


def walk(part: Part) -> Iterator[Part]:
    """A part and all parts within it."""
    yield part
    for inner in part.parts:
        yield from walk(inner)


class _Finder:
    def __init__(self) -> None:
        self.kinds: Kinds = {}
        self.places: dict[str, Place] = {}
        #: of which it is not known yet what they are: products within vectors, (product,), and the two sides
        #: of equations
        self.open: list[tuple[Part, ...]] = []

    def relation(self, relation: Relation) -> None:
        for part in relation.over or ():
            self.number(part)
        sides = (relation.left, relation.right)
        if relation.sign == "=" and all(self.guess(s) != "number" for s in sides):
            self.open.append(sides)
        else:
            for side in sides:
                self.number(side)

    def name(self, part: Part, kind: str) -> None:
        known = self.kinds.setdefault(part.word, kind)
        first = self.places.setdefault(part.word, part.place)
        if known != kind:
            got = f"a {known} ({_where(first)}), a {kind} ({_where(part.place)})"
            raise InputError(f"name {part.word}", got, "one of the two", "rename one")

    def number(self, part: Part) -> None:
        """A part is a number."""
        if part.head == "name" and part.word != "pi":
            if part.word in HEADS and part.word != "E":
                raise part.place.error(f"{part.word}(...)", "give it an argument, or rename it")
            self.name(part, "number")
        elif part.head == "of":
            self.call(part)
        else:
            for inner in part.parts:
                self.number(inner)

    def call(self, part: Part) -> None:
        if part.word in ("n2", "norm", "ip"):
            for inner in part.parts:
                self.vector(inner)
        elif part.word in HEADS:
            for inner in part.parts:
                self.number(inner)
        else:
            self.term(part)

    def term(self, part: Part) -> None:
        """A term of a sequence."""
        known = ", ".join(HEADS)
        if part.word in _NO_WORD or part.word == "pi":
            instead = _INSTEAD.get(part.word)
            raise part.place.error(f"one of {known}", f"write {instead}" if instead else "")
        if len(part.parts) != 1:
            raise part.place.error(f"one of {known}, or a sequence with one index", "write a(t)")
        self.name(part, "sequence")
        self.number(part.parts[0])

    def vector(self, part: Part) -> None:
        """A part is a vector."""
        if part.head == "name" and part.word != "pi":
            self.name(part, "vector")
        elif part.head in ("+", "-"):
            for inner in part.parts:
                self.vector(inner)
        elif part.head == "*":
            self.open.append((part,))
        elif not _zero(part):
            raise _no_vector(part)

    def guess(self, part: Part) -> str | None:
        """What a part is, as far as it is known."""
        if part.head == "name":
            return "number" if part.word == "pi" else self.kinds.get(part.word)
        if part.head in ("+", "-", "*"):
            inner = [self.guess(p) for p in part.parts]
            if "vector" in inner:
                return "vector"
            some = any if part.head == "+" else all
            return "number" if some(k == "number" for k in inner) else None
        return None if _zero(part) else "number"

    def settled(self) -> bool:
        """Whether something is known now of what was open."""
        before, self.open = self.open, []
        for sides in before:
            if not self.settle(sides):
                self.open.append(sides)
        return len(self.open) < len(before) or self.open != before

    def settle(self, parts: tuple[Part, ...]) -> bool:
        if len(parts) == 2:
            guesses = [self.guess(p) for p in parts]
            for kind in ("vector", "number"):
                if kind in guesses:
                    for part in parts:
                        self.vector(part) if kind == "vector" else self.number(part)
                    return True
            return False
        factors = parts[0].parts
        vectors = [f for f in factors if self.guess(f) == "vector"]
        unknown = [f for f in factors if self.guess(f) is None]
        if len(vectors) > 1:
            raise parts[0].place.error("one vector in a product", "write ip(x, y) for an inner product")
        if not vectors and not unknown:
            raise _no_vector(parts[0])
        if not vectors and len(unknown) > 1:
            return False
        self.product(factors, (vectors or unknown)[0])
        return True

    def product(self, factors: Sequence[Part], vector: Part) -> None:
        for factor in factors:
            if factor is vector:
                self.vector(factor)
            else:
                self.number(factor)

    def choose(self) -> None:
        """The last factor of a product is its vector; an equation that nothing tells of is one of numbers."""
        products = [parts for parts in self.open if len(parts) == 1]
        chosen = products[0] if products else self.open[0]
        self.open = [parts for parts in self.open if parts is not chosen]
        if products:
            factors = chosen[0].parts
            self.product(factors, [f for f in factors if self.guess(f) is None][-1])
        else:
            for side in chosen:
                self.number(side)


def _zero(part: Part) -> bool:
    return part.head == "number" and not part.word.strip("0.")


def _where(place: Place) -> str:
    return f"{place.label}, {place.at + 1}"


def _no_vector(part: Part) -> InputError:
    if part.head == "of" and part.word == "E":
        return part.place.error("a vector", _MEAN)
    if part.head == "of" and part.word not in HEADS:
        return part.place.error(
            "a vector without index", "use Field of fedproof.proof.language.prelude in Python"
        )
    return part.place.error("a vector", "write a name, such as n2(x - y); x^2 of a number")
