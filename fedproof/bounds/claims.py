"""The few kinds of claim a statement can make; each knows its formula and its LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import sympy as sp

from fedproof.bounds.letter import Letter, Printer
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.metrics import metric

Direction = Literal["increasing", "decreasing"]
Sense = Literal["<=", ">="]


@dataclass(frozen=True)
class Bound:
    """A measured metric is at most, or at least, an expression."""

    kind: ClassVar[str] = "bound"
    metric: str
    expr: sp.Expr
    relation: Sense = "<="

    def __post_init__(self) -> None:
        metric(self.metric)
        if self.relation not in get_args(Sense):
            raise UnknownName(f"relation of {self.metric} to its bound", self.relation, get_args(Sense))

    def latex(self, tex: Printer) -> str:
        """The inequality as printed."""
        sign = r"\le" if self.relation == "<=" else r"\ge"
        return f"{metric(self.metric).latex} {sign} {tex(self.expr)}"


@dataclass(frozen=True)
class Identity:
    """Two expressions are equal wherever the conditions hold."""

    kind: ClassVar[str] = "identity"
    left: sp.Expr
    right: sp.Expr

    def latex(self, tex: Printer) -> str:
        """The equation as printed."""
        return f"{tex(self.left)} = {tex(self.right)}"


@dataclass(frozen=True)
class Monotone:
    """An expression increases or decreases in one symbol wherever the conditions hold."""

    kind: ClassVar[str] = "monotone"
    expr: sp.Expr
    symbol: sp.Symbol
    direction: Direction

    def latex(self, tex: Printer) -> str:
        """The expression and its direction."""
        return f"{tex(self.expr)} \\text{{ is {self.direction} in }} {tex(self.symbol)}"


@dataclass(frozen=True)
class Exists:
    """For all admissible values of the other symbols some values of `choose` satisfy the relations."""

    kind: ClassVar[str] = "exists"
    choose: tuple[Letter, ...]
    relations: tuple[sp.Basic, ...]

    def latex(self, tex: Printer) -> str:
        """The quantified relations."""
        names = ", ".join(tex(x.symbol) for x in self.choose)
        return f"\\exists\\, {names}:\\ " + ",\\ ".join(tex(r) for r in self.relations)


@dataclass(frozen=True)
class Order:
    """left <= C x right with a hidden constant C, as `symbol` tends to `limit`."""

    kind: ClassVar[str] = "order"
    left: sp.Expr
    right: sp.Expr
    symbol: sp.Symbol
    limit: sp.Expr = sp.oo

    def latex(self, tex: Printer) -> str:
        """The order relation and where it is taken."""
        where = f"{tex(self.symbol)} \\to {sp.latex(self.limit)}"
        return f"{tex(self.left)} = O\\left({tex(self.right)}\\right),\\quad {where}"


@dataclass(frozen=True)
class Family:
    """Instances along which a metric outgrows what is claimed of it, one for every whole number.

    Arguments:
        index: the whole number.
        least: from where it counts.
        values: what the statement's letters are.
        growth: a polynomial in the index with no bound: so many times the claimed expression, which is > 0,
            the metric is at least.
    """

    index: sp.Symbol
    least: int
    values: tuple[tuple[sp.Symbol, sp.Expr], ...]
    growth: sp.Expr


@dataclass(frozen=True)
class Hidden:
    """A measured metric is at most an expression up to a constant that the text does not say.

    It has no number: a statement that amends it supplies one.

    Arguments:
        metric: what is bounded.
        expr: the bound up to the constant.
        factor: a number > 0 that the proof gives; it is no part of the claim.
        family: for a claim that no constant makes true.
    """

    kind: ClassVar[str] = "hidden"
    metric: str
    expr: sp.Expr
    factor: sp.Expr | None = None
    family: Family | None = None

    def __post_init__(self) -> None:
        metric(self.metric)
        if self.factor is not None and not (self.factor.is_Rational and self.factor > 0):
            raise InputError(
                f"factor of {self.metric}", self.factor, "a fraction > 0", "a constant is a number"
            )
        if self.factor is not None and self.family is not None:
            cure = "what some constant makes true no family breaks"
            raise InputError(f"claim on {self.metric}", "a factor and a family", "one of them", cure)

    def with_constant(self) -> Bound:
        """The bound with the constant that the proof gives.

        Raises: InputError where there is none.
        """
        if self.factor is None:
            raise InputError(
                f"factor of {self.metric}", None, "a fraction > 0", "say the constant of the proof"
            )
        return Bound(self.metric, self.factor * self.expr)

    def latex(self, tex: Printer) -> str:
        """The inequality as printed."""
        return f"{metric(self.metric).latex} \\lesssim {tex(self.expr)}"


@dataclass(frozen=True)
class Implies:
    """The given relations, with the statement's conditions, imply another.

    `via` names relations on the way, each proved first and then used in place of what has radicals.
    """

    kind: ClassVar[str] = "implies"
    given: tuple[sp.Basic, ...]
    then: sp.Basic
    via: tuple[sp.Basic, ...] = ()

    def latex(self, tex: Printer) -> str:
        """The implication."""
        left = ",\\ ".join(tex(g) for g in self.given)
        return f"{left} \\;\\Rightarrow\\; {tex(self.then)}" if left else tex(self.then)


@dataclass(frozen=True)
class Minimum:
    """An optimisation problem: the least value of `objective` over `over` under the conditions."""

    kind: ClassVar[str] = "minimum"
    objective: sp.Expr
    over: tuple[sp.Symbol, ...]

    def latex(self, tex: Printer) -> str:
        """The problem as printed."""
        names = ", ".join(tex(s) for s in self.over)
        return f"\\min_{{{names}}}\\ {tex(self.objective)}"


@dataclass(frozen=True)
class Composition:
    """A part of an expression as a function of another, whose log bends down and rises with that one's log.

    Arguments:
        part: what is meant.
        outer: the same in `inner` and constants.
        inner: a name for the inner function.
        meaning: the inner function.
        bounds: on `inner`, under the conditions.
    """

    part: sp.Expr
    outer: sp.Expr
    inner: sp.Symbol
    meaning: sp.Expr
    bounds: tuple[sp.Basic, ...]


@dataclass(frozen=True)
class LogConvex:
    """The log of an expression is jointly convex in the logs of some coordinates.

    All that is said here of `expr` and its parts is proved, not believed.

    Arguments:
        expr: positive under the conditions.
        over: the letters that move; the others are constants.
        coordinates: a variable, and the positive expression, rising with it, whose log is the coordinate.
        atoms: a part of `expr`, the same part in one of the variables, and how its log bends in that
            variable's coordinate: "affine", "convex" or "concave".
        composites: parts of `expr` that are concave functions of concave ones.
    """

    kind: ClassVar[str] = "log_convex"
    expr: sp.Expr
    over: tuple[sp.Symbol, ...]
    coordinates: tuple[tuple[sp.Symbol, sp.Expr], ...]
    atoms: tuple[tuple[sp.Expr, sp.Expr, str], ...]
    composites: tuple[Composition, ...] = ()

    def latex(self, tex: Printer) -> str:
        """The expression and the coordinates."""
        names = ", ".join(
            f"\\log\\left({tex(c)}\\right)" if c.is_Add else f"\\log {tex(c)}" for _, c in self.coordinates
        )
        return f"\\log\\left({tex(self.expr)}\\right) \\text{{ is jointly convex in }} ({names})"


Grid = tuple[tuple[sp.Symbol, tuple[float, ...]], ...]


@dataclass(frozen=True)
class Observed:
    """What a figure, a table or its discussion is said to show: how an optimum moves.

    Arguments:
        problem: id of the tuning problem.
        quantity: the optimal quantity that moves.
        symbol: what is varied.
        direction: whether the quantity increases or decreases.
        grid: for every constant of the problem the values at which to look; a printed value, or
            chosen ones where the paper gives none.
        far: a wider grid, to tell whether the observation is a law.
    """

    kind: ClassVar[str] = "observed"
    problem: str
    quantity: sp.Symbol
    symbol: sp.Symbol
    direction: Direction
    grid: Grid
    far: Grid

    def latex(self, tex: Printer) -> str:
        """The optimal quantity and the direction in which it moves."""
        return f"{tex(self.quantity)}^* \\text{{ is {self.direction} in }} {tex(self.symbol)}"


@dataclass(frozen=True)
class Reported:
    """What runs on data are said to show; runs may agree or not, and nothing here proves it.

    Arguments:
        says: the claim, in words.
        data: what it was seen on.
        figure: id of the figure that compares it with runs of ours; "" where none does.
        differs: in what those runs differ from the paper's.
    """

    kind: ClassVar[str] = "reported"
    says: str
    data: str
    figure: str = ""
    differs: str = ""

    def latex(self, tex: Printer) -> str:
        """The words, as text."""
        del tex
        words = self.says.replace("_", r"\_")
        return f"\\text{{{words}}}"


Claim = (
    Bound
    | Hidden
    | Identity
    | Monotone
    | Exists
    | Order
    | Implies
    | Minimum
    | LogConvex
    | Observed
    | Reported
)
