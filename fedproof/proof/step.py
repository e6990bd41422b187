"""One step of a proof as data, short enough for a referee to compare with the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal, get_args

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom, BooleanFunction

from fedproof.proof.forall import ForAll, as_expression
from fedproof.proof.sequences import is_sequence_term
from fedproof.proof.step_printer import StepPrinter, step_printer
from fedproof.proof.substitution import substitute
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.result import Shown
from fedproof.vocabulary.source import Source

Rule = Literal["real", "quad", "sum", "induction", "interval", "cases", "cite"]


@dataclass(frozen=True)
class Given:
    """A hypothesis with its reason and, where the proof is linear in it, its multiplier.

    Arguments:
        relation: what is assumed.
        why: id of the assumption or the words of the text that grant it; "" where the text never does.
        weight: the multiplier the hypothesis enters the proof with; None, or one that does not serve, leaves
            it to the search.
    """

    relation: sp.Basic | ForAll
    why: str = ""
    weight: sp.Expr | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", as_expression(self.weight))
        _no_bool("hypothesis", self.relation)
        if not _is_relation(self.relation):
            expected = "a relation such as x > 0, for every index (ForAll) or not"
            raise InputError("hypothesis", self.relation, expected, "compare two expressions")


@dataclass(frozen=True)
class Let:
    """A named part of the claim and what is known of it; every fact is proved, then the meaning forgotten."""

    symbol: sp.Symbol
    expr: sp.Expr
    facts: tuple[sp.Basic, ...] = ()


@dataclass(frozen=True)
class Induction:
    """How a claim about a recursion is proved: it holds at `start`, and from n it follows for n + 1.

    Arguments:
        index: the whole number n.
        start: its first value.
        state: (symbol, its value at start, its value at n + 1 in terms of that at n).
    """

    index: sp.Symbol
    start: sp.Expr
    state: tuple[tuple[sp.Symbol, sp.Expr, sp.Expr], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", as_expression(self.start))
        object.__setattr__(
            self, "state", tuple((s, as_expression(a), as_expression(b)) for s, a, b in self.state)
        )


@dataclass(frozen=True)
class Applied:
    """Another step's claim for particular quantities; its hypotheses become obligations.

    Arguments:
        step: the step that is used.
        at: what its symbols, inner products or sequences stand for here.
        weight: as in `Given`.
        over: (index, lo, hi) where it is used for every whole index.
    """

    step: Step
    at: tuple[tuple[sp.Basic, sp.Basic], ...] = ()
    weight: sp.Expr | None = None
    over: tuple[sp.Symbol, sp.Expr, sp.Expr] | None = None

    def __post_init__(self) -> None:
        what = f"key of {self.step.id}.at"
        for key, _ in self.at:
            if not self.step.mentions(key):
                raise InputError(what, key, "a name or part that occurs in it", "leave it out")
            if is_sequence_term(key) and not isinstance(key.args[0], sp.Symbol):
                raise InputError(what, key, "a sequence with a plain index", "write it as x(t)")
            if self.step.rule == "cite" and not self._is_name(key):
                raise InputError(
                    what,
                    key,
                    "a symbol, a vector or a sequence, as what is cited is taken as it stands",
                    "say it in a step of your own, and name parts where that step is used",
                )

    def _is_name(self, key: Any) -> bool:
        """Whether what the step says of a key it says of everything of that kind."""
        return (isinstance(key, sp.Symbol) and key not in self.step.meanings) or is_sequence_term(key)

    @property
    def relation(self) -> sp.Basic | ForAll:
        """The claim here."""
        here = self.substitute(self.step.claim)
        return here if self.over is None else ForAll(here, *self.over)

    def substitute(self, expr: Any) -> Any:
        """An expression or relation of the step, spoken here; its named parts are written out."""
        return substitute_in_relation(substitute_in_relation(expr, self.step.meanings), dict(self.at))


@dataclass(frozen=True)
class Step(Shown):
    """A numbered or needed (in)equality of a proof.

    Arguments:
        claim: the relation as it stands on the page.
        given: the hypotheses it may use: relations, `Given`, `ForAll` or another step `Applied`.
        id: `<key>.eq<number>[letter]`, or any name in a notebook.
        rule: how it is decided: "real" (polynomial real algebra, roots and quotients cleared), "quad"
            (quadratic forms in vectors), "sum" (linear in sums of sequences with a symbolic number of
            terms), "induction", "interval" (constants), "cases" (steps that prove it under conditions of
            which one holds), "cite" (an external result, not decided).
        lets: named parts of the claim with facts, each proved first.
        induction: for the rule of that name.
        mean: LaTeX of the expectation in which inner products are read, such as r"\\mathbb E"; "" for none.
        fixed: vectors that do not vary in that mean; a claim on these alone may be used outside it.
        reads: how symbols, sequences and vectors are printed: ((symbol, LaTeX), ...).
        witness: exact values to try first, as text: (("x", "3/2"), ...).
        source: where it stands, if it stands in a paper.
        note: what a referee should know.
        repairs: id of the printed step that this one replaces.
        flaw: what is wrong with a printed step that is refuted: "misprint", "index", "citation" or "gap";
            "rendering" where only the text's dump has it, which makes it damaged.
        lacks: why the reasons that the text gives do not give a printed step, which is true all the same.

    >>> import fedproof as fp
    >>> x = sp.Symbol("x", real=True)
    >>> fp.decide(fp.Step(x**2 >= x, given=(x >= 1,))).verdict
    'proved'
    """

    claim: sp.Basic
    given: tuple[Any, ...] = ()
    id: str = "step"
    rule: Rule = "real"
    lets: tuple[Let, ...] = ()
    induction: Induction | None = None
    mean: str = ""
    reads: tuple[tuple[Any, str], ...] = ()
    fixed: tuple[Any, ...] = field(default=(), kw_only=True)
    witness: tuple[tuple[str, str], ...] = ()
    source: Source | None = field(default=None, kw_only=True)
    note: str = field(default="", kw_only=True)
    repairs: str | None = field(default=None, kw_only=True)
    flaw: str = field(default="", kw_only=True)
    lacks: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        _no_bool("claim", self.claim)
        if self.claim not in (sp.true, sp.false) and not isinstance(
            self.claim, sp.core.relational.Relational
        ):
            raise InputError("claim", self.claim, "a relation such as x**2 >= x", "compare two expressions")
        if not isinstance(self.given, tuple):
            raise InputError("given", self.given, "a tuple of relations", "write given=(x > 0,)")
        for hypothesis in self.given:
            _no_bool("hypothesis", hypothesis)
            if isinstance(hypothesis, Step):
                raise InputError(
                    "given", hypothesis.id, "a relation or a step in use", "write step.at({...})"
                )
            if not (isinstance(hypothesis, (Given, Applied)) or _is_relation(hypothesis)):
                expected = "relations, Given or steps in use, one by one"
                raise InputError("given", hypothesis, expected, "write given=(x > 0, *assume(...))")
        if self.rule not in get_args(Rule):
            raise UnknownName("rule", str(self.rule), get_args(Rule))
        if self.rule == "cite" and any(isinstance(h, Applied) for h in self.given):
            expected = "hypotheses of the text that is cited"
            cure = "list them: given=assume(reason, relation)"
            raise InputError(f"given of {self.id}", "a step in use", expected, cure)
        self._check_lets()

    def _check_lets(self) -> None:
        """A part's name is new: what it stands for speaks of parts named before it and of nothing later."""
        names = [part.symbol for part in self.lets]
        for place, part in enumerate(self.lets):
            later = part.expr.free_symbols & set(names[place:])
            if later or part.symbol in names[:place]:
                raise InputError(
                    f"let {part.symbol}", part.expr, "a new name for a part in names known before"
                )

    @property
    def meanings(self) -> dict[Any, Any]:
        """What its named parts stand for, written out."""
        found: dict[Any, Any] = {}
        for part in self.lets:
            found[part.symbol] = substitute(part.expr, found)
        return found

    @property
    def uses(self) -> tuple[str, ...]:
        """Ids of the steps it rests on."""
        return tuple(dict.fromkeys(g.step.id for g in self.given if isinstance(g, Applied)))

    @cached_property
    def hypotheses(self) -> tuple[Given | Applied, ...]:
        """Everything it may use, in the order given."""
        return tuple(g if isinstance(g, (Given, Applied)) else Given(g) for g in self.given)

    @property
    def printer(self) -> StepPrinter:
        """Prints its expressions: its paper's letters, then what `reads` says of its symbols."""
        paper = None if self.source is None else self.source.paper
        return step_printer(paper, self.reads, self.mean, tuple(self._parts()))

    def mentions(self, key: Any) -> bool:
        """Whether a name, a term of a sequence or another part occurs in what the step says or uses."""
        return any(_mentions(part, key) for part in self._parts())

    def _parts(self) -> Iterator[Any]:
        """Every expression of the step."""
        for relation in (self.claim, *(h.relation for h in self.hypotheses)):
            yield from vars(relation).values() if isinstance(relation, ForAll) else (relation,)
        yield from (h.weight for h in self.hypotheses if h.weight is not None)
        for part in self.lets:
            yield from (part.symbol, part.expr, *part.facts)
        if self.induction is not None:
            yield from (self.induction.index, self.induction.start)
            yield from (e for row in self.induction.state for e in row)

    def at(
        self,
        values: Mapping[Any, Any] | None = None,
        *,
        weight: Any = None,
        over: tuple[Any, Any, Any] | None = None,
    ) -> Applied:
        """This step's claim for particular quantities, as a hypothesis of another step."""
        if not isinstance(values or {}, Mapping):
            raise InputError(f"{self.id}.at", values, "a mapping of names to values", "write at({x: y})")
        if over is not None and not (isinstance(over, tuple) and len(over) == 3):
            raise InputError(f"{self.id}.at", over, "over=(index, first, last)")
        pairs = tuple((as_expression(k), as_expression(v)) for k, v in (values or {}).items())
        ends = None if over is None else (over[0], *map(as_expression, over[1:]))
        return Applied(self, pairs, as_expression(weight), ends)

    def headline(self) -> str:
        """Id and claim."""
        return f"{self.id}: {self.claim}"

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, f.name) for f in fields(self)))

    def __hash__(self) -> int:
        """As equality has it; taken once, for what a step uses is hashed with it."""
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        """Without its hash, which another process takes anew."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def _repr_html_(self) -> str:
        from fedproof.algebra.mathml import wrapping

        return f"<p>{wrapping(self.printer.tex(self.claim))}</p>"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.printer.tex(self.claim)}$"


def _no_bool(what: str, value: Any) -> None:
    """Python's == and != say whether two expressions are written alike, which nobody means."""
    if isinstance(value, bool):
        expected = "a relation between expressions: Eq(a, b) for ==, Ne(a, b) for !="
        raise InputError(what, value, expected, "import Eq, Ne from sympy")


def _is_relation(value: Any) -> bool:
    kinds = (ForAll, Relational, BooleanFunction, BooleanAtom)
    return isinstance(value, kinds)


def _mentions(expr: Any, key: Any) -> bool:
    if is_sequence_term(key):
        return any(term.func == key.func for term in expr.atoms(sp.Function))
    return bool(key in expr.atoms(sp.Symbol) if isinstance(key, sp.Symbol) else expr.has(key))


def substitute_in_relation(relation: Any, pairs: Mapping[Any, Any]) -> Any:
    """A relation, for every index or not, or an expression, with keys replaced as `substitute` does."""
    if not pairs:
        return relation
    if isinstance(relation, ForAll):
        body = substitute(relation.relation, pairs, frozenset({relation.index}))
        return ForAll(body, relation.index, substitute(relation.lo, pairs), substitute(relation.hi, pairs))
    return substitute(relation, pairs)


def assume(why: str, *relations: sp.Basic | ForAll) -> tuple[Given, ...]:
    """Hypotheses with their reason."""
    return tuple(Given(r, why) for r in relations)


def times(weight: Any, relation: Any, why: str = "") -> Any:
    """A hypothesis with its multiplier; hypotheses in a tuple with one multiplier each."""
    if isinstance(relation, tuple):
        return tuple(times(weight, part, why) for part in relation)
    given = relation if isinstance(relation, Given) else Given(relation, why)
    return replace(given, weight=as_expression(weight))
