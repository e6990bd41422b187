"""One step of a proof as data, short enough for a referee to compare with the page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import sympy as sp

from fedproof.proof.substitution import substitute
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.source import Source

Rule = Literal["real", "quad", "sum", "induction", "interval", "cases", "cite"]


@dataclass(frozen=True)
class ForAll:
    """A relation for every whole `index` from `lo` to `hi`."""

    relation: sp.Basic
    index: sp.Symbol
    lo: sp.Expr
    hi: sp.Expr

    def __post_init__(self) -> None:
        object.__setattr__(self, "lo", _expr(self.lo))
        object.__setattr__(self, "hi", _expr(self.hi))


@dataclass(frozen=True)
class Given:
    """A hypothesis with its reason and, where the proof is linear in it, its multiplier.

    Arguments:
        relation: what is assumed.
        why: id of the assumption or the words of the text that grant it; "" where the text never does.
        weight: the multiplier the hypothesis enters the proof with; None leaves it to the search.
    """

    relation: sp.Basic | ForAll
    why: str = ""
    weight: sp.Expr | None = None

    def __post_init__(self) -> None:
        if isinstance(self.relation, bool):
            object.__setattr__(self, "relation", sp.true if self.relation else sp.false)


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
        object.__setattr__(self, "start", _expr(self.start))
        object.__setattr__(self, "state", tuple((s, _expr(a), _expr(b)) for s, a, b in self.state))


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

    @property
    def relation(self) -> sp.Basic | ForAll:
        """The claim here."""
        here = self.substitute(self.step.claim)
        return here if self.over is None else ForAll(here, *self.over)

    def substitute(self, expr: Any) -> Any:
        """An expression or relation of the step, spoken here; its named parts are written out."""
        return substitute_in_relation(substitute_in_relation(expr, self.step.meanings), dict(self.at))


@dataclass(frozen=True)
class Step:
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

    def __post_init__(self) -> None:
        if isinstance(self.claim, bool):
            object.__setattr__(self, "claim", sp.true if self.claim else sp.false)
        if self.claim not in (sp.true, sp.false) and not isinstance(
            self.claim, sp.core.relational.Relational
        ):
            raise InputError("claim", self.claim, "a relation such as x**2 >= x", "compare two expressions")
        if not isinstance(self.given, tuple):
            raise InputError("given", self.given, "a tuple of relations", "write given=(x > 0,)")
        if self.rule not in get_args(Rule):
            raise UnknownName("rule", str(self.rule), get_args(Rule))
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

    @property
    def hypotheses(self) -> tuple[Given | Applied, ...]:
        """Everything it may use, in the order given."""
        return tuple(g if isinstance(g, (Given, Applied)) else Given(g) for g in self.given)

    def at(
        self,
        values: Mapping[Any, Any] | None = None,
        *,
        weight: Any = None,
        over: tuple[Any, Any, Any] | None = None,
    ) -> Applied:
        """This step's claim for particular quantities, as a hypothesis of another step."""
        pairs = tuple((_expr(k), _expr(v)) for k, v in (values or {}).items())
        return Applied(self, pairs, _expr(weight), None if over is None else (over[0], *map(_expr, over[1:])))

    def _repr_latex_(self) -> str:
        from fedproof.proof.step_latex import step_latex

        return f"$\\displaystyle {step_latex(self)['claim']}$"


def substitute_in_relation(relation: Any, pairs: Mapping[Any, Any]) -> Any:
    """A relation, for every index or not, or an expression, with keys replaced as `substitute` does."""
    if not pairs:
        return relation
    if isinstance(relation, ForAll):
        body = substitute(relation.relation, pairs, frozenset({relation.index}))
        return ForAll(body, relation.index, substitute(relation.lo, pairs), substitute(relation.hi, pairs))
    return substitute(relation, pairs)


def _expr(value: Any) -> Any:
    return None if value is None else sp.sympify(value, strict=True)


def assume(why: str, *relations: sp.Basic | ForAll) -> tuple[Given, ...]:
    """Hypotheses with their reason."""
    return tuple(Given(r, why) for r in relations)


def times(weight: Any, relation: sp.Basic | ForAll, why: str = "") -> Given:
    """A hypothesis with its multiplier."""
    return Given(relation, why, _expr(weight))
