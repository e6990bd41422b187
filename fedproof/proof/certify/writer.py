"""Lines of a proof as they are found: each is checked by the kernel before it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from fedproof.proof.certify.gram import plain_squares
from fedproof.proof.certify.limits import NotFound, still
from fedproof.proof.certify.reaching import reached
from fedproof.proof.kernel.context import Context, Used
from fedproof.proof.kernel.forms import Forms
from fedproof.proof.kernel.polynomials import ONE, Quotient
from fedproof.proof.kernel.relations import reading, sides
from fedproof.proof.kernel.rules import RULES
from fedproof.proof.kernel.trees import BINDS, ORDER, Rejected, Tree, alike, free


@dataclass
class Writer:
    """Writes lines in a context.

    Arguments:
        here: what is known; lines are added to it.
        lines: what was written, as the kernel reads it.
        equal: equations by whose sides everything is read.
        claim: what is to be proved, where that is known.
        families: over which index a name was made a family.
    """

    here: Context
    lines: list[Any] = field(default_factory=list)
    equal: tuple[int, ...] = ()
    failed: set[Any] = field(default_factory=set)
    ready: set[int] = field(default_factory=set)
    stale: set[int] = field(default_factory=set)
    origins: list[Any] = field(default_factory=list)
    brief: bool = False
    hidden: set[int] = field(default_factory=set)
    claim: Tree | None = None
    families: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Mapping[str, str], given: Sequence[Tree], used: Used) -> Writer:
        """A writer at the beginning of a proof, with every hypothesis as a line."""
        writer = cls(Context(names, (), given, used))
        for place, relation in enumerate(given):
            writer.write(relation, "given", place)
        return writer

    def assume(self, relation: Tree, origin: Any) -> int:
        """A hypothesis as a line."""
        self.here.given = (*self.here.given, relation)
        self.origins.append(origin)
        return self.write(relation, "given", len(self.here.given) - 1)

    def declare(self, name: str, kind: str) -> None:
        """A new name."""
        if name in self.here.kinds and self.here.kinds[name] != kind:
            raise NotFound(f"{name} is {self.here.kinds[name]}, not {kind}")
        self._kinds({name: kind})

    def become(self, name: str, kind: str) -> None:
        """Say of what kind a name is, whatever was thought before."""
        self._kinds({name: kind})

    def _kinds(self, more: Mapping[str, str]) -> None:
        self.here = Context({**self.here.kinds, **more}, self.here.lines, self.here.given, self.here.used)

    def write(self, relation: Tree, rule: str, *more: Any) -> int:
        """Add a line.

        Raises: Rejected where the kernel does not accept it.
        """
        still()
        try:
            RULES[rule](self.here, relation, *more)
        except (TypeError, IndexError, KeyError, AttributeError) as problem:
            raise Rejected(f"{rule}: {problem!r}") from problem
        self.here.lines.append(relation)
        self.lines.append((relation, (rule, *more)))
        return len(self.here.lines) - 1

    def settle(self, beyond: bool = True) -> None:
        """Read names that equations give by others as what they stand for, in an order that ends.

        Arguments:
            beyond: whether a number may be read as what speaks of vectors, terms or sums.
        """
        waiting = {i: r for i, r in enumerate(self.here.lines) if r[0] == "=" and i not in self.hidden}
        given: dict[str, int] = {}
        meaning: dict[str, frozenset[str]] = {}
        for place, line in waiting.items():
            for name, other in ((line[1], line[2]), (line[2], line[1])):
                if not isinstance(name, str) or name not in self.here.kinds or name in given:
                    continue
                if name in reached(free(other), lambda n: meaning.get(n, ())) or not self._may_be(
                    name, other, beyond
                ):
                    continue
                given[name], meaning[name] = place, free(other)
                break
        order: list[int] = []
        for name in given:
            _after(name, given, meaning, order)
        self.equal = tuple(dict.fromkeys(order))

    def _may_be(self, name: str, value: Tree, beyond: bool) -> bool:
        """Whether a name may be read as an expression: a whole one only as what is plainly whole."""
        if not beyond and self.here.kinds[name] == "real" and _heads(value) & _BEYOND:
            return False
        if self.here.kinds[name] != "whole":
            return True
        with suppress(Rejected):
            self.here.forms().whole(value)
            return True
        return False

    def find(self, relation: Tree) -> int | None:
        """A line that says so already."""
        lines = self.here.lines
        if relation in lines:
            return lines.index(relation)
        if not binds(relation):
            return None
        return next((i for i, known in enumerate(lines) if alike(known, relation)), None)

    @property
    def forms(self) -> Forms:
        """Normal forms, read by the equations."""
        return self.here.forms(self.equal)

    def said(self, place: int) -> Quotient | None:
        """What is right less what is left in a line between numbers, None for other lines."""
        return None if place in self.hidden else self.once("said", place, self._said)

    def once(self, what: str, place: int, make: Callable[[int], Any]) -> Any:
        """What is made of a line, once for all writers that read it by the same normal forms."""
        line, made = self.here.lines[place], self.forms.made_of
        found = made.get((what, place, id(line)))
        if found is None or found[0] is not line:
            found = made[what, place, id(line)] = line, make(place)
        return found[1]

    def _said(self, place: int) -> Quotient | None:
        line = self.here.lines[place]
        if line[0] in ORDER and not (self.forms.is_vector(line[1]) or self.forms.is_vector(line[2])):
            with suppress(Rejected):
                return self.gap(line)
        return None

    def inside(self, *more: Tree) -> Writer:
        """A writer of a proof inside, with more that holds."""
        inner = self.here.inside({}, *more)
        return replace(self, here=inner, lines=[], failed=set(), ready=set(self.ready), stale=set(self.stale))

    def gap(self, relation: Tree) -> Quotient:
        """What is right less what is left."""
        found: Quotient = reading(self.forms, lambda: sides(self.forms, relation))[0][1]
        return found

    def block(
        self, rule: str, relation: Tree, inner: Context, act: Callable[[Writer], Any], *before: Any
    ) -> int:
        """A rule with a proof inside, which `act` writes; its last line must be what the rule wants."""
        writer = Writer(inner.branch(), [], self.equal, hidden=set(self.hidden))
        act(writer)
        return self.write(relation, rule, *before, tuple(writer.lines))

    def branch(self) -> Writer:
        """A writer that goes on from here and may be given up."""
        still()
        return replace(
            self, here=self.here.branch(), lines=list(self.lines), failed=set(), ready=set(self.ready),
            stale=set(self.stale),
        )  # fmt: skip

    def about_numbers(self, claim: Tree) -> Writer:
        """A branch that sees no lines about vectors, terms and sums, where a claim speaks of none."""
        attempt = self.branch()
        attempt.settle_as(self.equal)
        if not _heads(claim) & _BEYOND:
            beyond = {i for i, line in enumerate(self.here.lines) if _heads(line) & _BEYOND}
            attempt.hidden = self.hidden | beyond
        return attempt

    def settle_as(self, equal: tuple[int, ...]) -> None:
        """Read by these equations; what was made ready for others is made ready anew."""
        if equal != self.equal:
            self.equal, self.ready, self.stale = equal, set(), set()

    def adopt(self, other: Writer) -> int:
        """Go on where a branch ended."""
        self.here, self.lines = other.here, other.lines
        self.ready, self.stale = other.ready, other.stale
        return len(self.here.lines) - 1

    def with_whole(self, name: str) -> Forms:
        """Normal forms in which a name is a whole number."""
        if name not in self.here.kinds:
            inner = Context({**self.here.kinds, name: "whole"}, self.here.lines, (), self.here.used)
            return inner.forms(self.equal)
        return self.forms


_BEYOND = frozenset({"ip", "n2", "of", "sum", "all", "every"})


def speaks_beyond_numbers(tree: Tree) -> bool:
    """Whether a relation speaks of vectors, terms of sequences, sums or ranges."""
    return bool(_heads(tree) & _BEYOND)


@cache
def _heads(tree: Tree) -> frozenset[str]:
    """The heads that occur in a tree."""
    if isinstance(tree, str):
        return frozenset()
    return frozenset({tree[0]}).union(*(_heads(p) for p in tree[1:] if isinstance(p, tuple)))


def binds(tree: Tree) -> bool:
    """Whether an expression binds names."""
    return isinstance(tree, tuple) and (tree[0] in BINDS or any(map(binds, tree)))


def _after(
    name: str, given: Mapping[str, int], meaning: Mapping[str, frozenset[str]], order: list[int]
) -> None:
    """The equations that a name's meaning needs, then its own."""
    for other in sorted(meaning[name]):
        if other in given and given[other] not in order:
            _after(other, given, meaning, order)
    if given[name] not in order:
        order.append(given[name])


def tree_of(forms: Forms, q: Quotient) -> Tree:
    """A quotient as an expression.

    Raises: NotFound for a part of a sum, which has none.
    """
    above = _norms(forms, q.above) or _sum_of(forms, q.above)
    below = [("^", _sum_of(forms, dict(f)), str(-e)) for f, e in q.below.items()]
    return ("*", above, *below) if below else above


def _norms(forms: Forms, above: Any) -> Tree | None:
    """A polynomial as a sum of squared norms, where it plainly is one."""
    found = plain_squares(forms, Quotient(above))
    if found is None:
        return None
    norms = ((d, ("n2", vector_tree(forms, v))) for d, v in found)
    parts = [norm if d.constant == 1 else ("*", tree_of(forms, d), norm) for d, norm in norms]
    return ("+", *parts) if len(parts) > 1 else parts[0]


def _sum_of(forms: Forms, poly: Any) -> Tree:
    terms = [_term_of(forms, m, c) for m, c in poly.items()]
    return ("+", *terms) if len(terms) > 1 else terms[0] if terms else "0"


def _term_of(forms: Forms, m: Any, c: Any) -> Tree:
    parts = [atom_tree(forms, a) if e == 1 else ("^", atom_tree(forms, a), str(e)) for a, e in m]
    if m == ONE or c != 1:
        parts.insert(0, str(c))
    return ("*", *parts) if len(parts) > 1 else parts[0]


def atom_tree(forms: Forms, place: int) -> Tree:
    """An atom as an expression."""
    atom = forms.atoms[place]
    pieces = forms.pieces(place)
    if atom.kind in ("name", "vector"):
        return atom.parts[0]
    if atom.kind == "of":
        return ("of", atom.parts[0], *(_form_tree(forms, f) for f in pieces))
    if place in forms.sizes:
        return ("abs", tree_of(forms, forms.sizes[place]))
    if atom.kind == "root":
        return ("^", tree_of(forms, pieces[0]), f"1/{atom.parts[1]}")
    if atom.kind == "power":
        return ("^", *(tree_of(forms, f) for f in pieces))
    if atom.kind == "ip":
        if pieces[0] == pieces[1]:
            return ("n2", atom_tree(forms, pieces[0]))
        return ("ip", *(atom_tree(forms, b) for b in pieces))
    raise NotFound("part of a sum")


def _form_tree(forms: Forms, form: Any) -> Tree:
    if isinstance(form, Quotient):
        return tree_of(forms, form)
    return vector_tree(forms, form)


def vector_tree(forms: Forms, v: Mapping[int, Quotient]) -> Tree:
    """A combination of vectors as an expression."""
    parts = [
        atom_tree(forms, b) if q.constant == 1 else ("*", tree_of(forms, q), atom_tree(forms, b))
        for b, q in v.items()
    ]
    return ("+", *parts) if len(parts) > 1 else parts[0] if parts else "0"
