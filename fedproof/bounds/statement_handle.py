"""A statement in the user's hands: show it, check numbers against it, ask for its ranges."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from fedproof.algebra.arithmetic import Array, Mask
from fedproof.algebra.exact_evaluation import EvaluatedRelation
from fedproof.algebra.formula import Value
from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.ranges.interval_ends import SMALLEST
from fedproof.algebra.ranges.nearest_admissible import NearestAdmissible, nearest
from fedproof.algebra.ranges.result import Range
from fedproof.bounds import catalog
from fedproof.bounds.array_values import check_shapes, number_or_array
from fedproof.bounds.letter import Letter
from fedproof.bounds.statement import Condition, Def, Statement
from fedproof.bounds.statement_view import StatementView
from fedproof.vocabulary.errors import InputError, MissingName, UnknownName
from fedproof.vocabulary.greek import ascii_name
from fedproof.vocabulary.letters import exact_value, read_letters
from fedproof.vocabulary.quantities import OF_PROBLEM, Quantity
from fedproof.vocabulary.result import Result, Shown, Table
from fedproof.vocabulary.surd import Surd
from fedproof.vocabulary.values import parse_exact


@dataclass(frozen=True)
class ApplicabilityResult(Result):
    """Whether a statement applies to given numbers, and what it then promises."""

    id: str
    kind: str
    values: Mapping[str, Fraction | Surd]
    conditions: tuple[tuple[Condition, EvaluatedRelation], ...]
    missing: tuple[str, ...]
    bound: float | None
    derived: Mapping[str, float]
    whole: Mapping[str, bool]
    nearest: NearestAdmissible | None
    amended_by: tuple[str, ...] = ()

    @property
    def applicable(self) -> bool:
        """Whether every condition holds."""
        return all(d.holds for _, d in self.conditions)

    def to_dict(self) -> dict[str, Any]:
        """The contract's `check` document."""
        return {
            "id": self.id,
            "kind": self.kind,
            "applicable": self.applicable,
            "conditions": [
                {"label": c.label, "holds": d.holds, "margin": d.margin} for c, d in self.conditions
            ],
            "missing": self.missing,
            "bound": self.bound,
            "derived": dict(self.derived),
            "whole": dict(self.whole),
            "nearest": None if self.nearest is None else self.nearest.to_dict(),
        }

    @property
    def frame(self) -> Any:
        """The conditions as a pandas table."""
        import pandas as pd

        return pd.DataFrame(self.tables()[0].records)

    def headline(self) -> str:
        """The answer."""
        if self.applicable and self.kind == "hidden":
            mended = " or ".join(self.amended_by)
            asked = f"; {mended} says a bound" if mended else ""
            return f"every condition of {self.id} holds; its constant is hidden{asked}{self._fractional()}"
        if self.applicable and self.kind != "bound":
            return f"every condition of {self.id} holds; audit tells whether it is true{self._fractional()}"
        if self.applicable:
            promise = "" if self.bound is None else f"; bound {self.bound:.7g}"
            wanting = f"; for the bound add {', '.join(self.missing)}" if self.missing else ""
            return f"{self.id} applies{promise}{wanting}{self._fractional()}"
        failing = ", ".join(c.label for c, d in self.conditions if not d.holds)
        return f"{self.id} is not applicable: fails {failing}{self._fractional()}"

    def _fractional(self) -> str:
        parts = [n for n, whole in self.whole.items() if not whole]
        return f"; {', '.join(parts)} is not whole, which a run needs" if parts else ""

    def tables(self) -> tuple[Table, ...]:
        """Conditions, derived values and the nearest admissible values."""
        found = [
            Table("", ("condition", "holds", "margin"),
                  tuple((c.label, d.holds, d.margin) for c, d in self.conditions))
        ]  # fmt: skip
        if self.derived:
            found.append(Table("Derived", ("name", "value"), tuple(self.derived.items())))
        if self.nearest is not None:
            found.extend(self.nearest.tables())
        return tuple(found)


@dataclass(frozen=True)
class StatementHandle(Shown):
    """One statement with its verbs.

    >>> statement("fedproxvr.theorem1").check(L=1, lam=0, sigma2=0, mu=9, theta="1/10").applicable
    True
    """

    statement: Statement

    def show(self) -> StatementView:
        """What the statement says."""
        return StatementView(self.statement)

    def check(self, /, **values: object) -> ApplicabilityResult:
        """Decide every condition exactly at these numbers.

        Arguments: values by letter or canonical word: numbers or text, read exactly as written, square roots
            of fractions too.
        Returns: the conditions with their margins, the bound, and the nearest admissible values.
        Raises: InputError outside a domain, UnknownName, MissingName.
        """
        given = self._read(values, _exact)
        if roots := {n: v for n, v in given.items() if isinstance(v, Surd)}:
            found = self._with(roots).check(**{n: v for n, v in given.items() if n not in roots})
            parts = {n: False for n in roots if self.letter(n).quantity.whole}
            return replace(found, values=given, whole={**found.whole, **parts})
        st = self.statement
        absent = [n for n in st.needed if n not in given]
        if absent:
            raise MissingName(st.id, absent)
        decided = tuple((c, st.relations[c.label].decide(given)) for c in st.admissible)
        holds = all(d.holds for _, d in decided)
        promised = st.formulas.get("bound")
        missing = (
            () if promised is None else tuple(n for n in self.names if n in {*promised.names} - {*given})
        )
        bound = promised.at(given) if holds and promised is not None and not missing else math.nan
        counted = {n: v.denominator == 1 for n, v in given.items() if self.letter(n).quantity.whole}
        return ApplicabilityResult(
            st.id,
            st.claim.kind,
            given,
            decided,
            missing,
            None if math.isnan(bound) else float(bound),
            self._derived(given),
            counted,
            None if holds else self._nearest(given),
            self._supplied_by(),
        )

    def _supplied_by(self) -> tuple[str, ...]:
        """The statements that correct one with a hidden constant, or say it."""
        if self.statement.claim.kind != "hidden":
            return ()
        metric = getattr(self.statement.claim, "metric", None)
        return tuple(
            other.id
            for other in catalog.statements(self.statement.paper)
            if other.amends == self.statement.id
            and other.claim.kind == "bound"
            and getattr(other.claim, "metric", None) == metric
        )

    def applies(self, /, **values: object) -> bool | Mask:
        """Whether every condition holds, decided exactly as `check` does.

        Arguments: values by letter or canonical word: numbers, text, or arrays of these that broadcast, whose
            elements are read as the shortest decimals of their doubles.
        Returns: a bool, or an array of them.
        Raises: as `check`; InputError for arrays of anything else, and arrays that do not broadcast.

        >>> import numpy as np
        >>> statement("fedproxvr.theorem1").applies(L=1, lam=0, sigma2=0, mu=np.array([1, 9]), theta="1/10")
        array([False,  True])
        """
        return self._applies(self.read(values, arrays=True))

    def bound(self, /, conditions: bool = True, **values: object) -> float | Array:
        """What the statement promises, at one point or over arrays.

        Arguments:
            conditions: whether to decide the conditions; without them the formula alone is evaluated.
            values: as `applies` takes them.

        Returns: the bound, NaN where a condition fails or it is undefined: at exact numbers the nearest
            double, as `check` gives it, over arrays evaluated in doubles.
        Raises: as `applies`; UnknownName for a statement that is no bound.

        >>> import numpy as np
        >>> statement("composite.theorem3.5").bound(
        ...     L=1, n=1, tau=1, b=1, sigma2=0, B_g=0, eta=np.array([1, 2]) / 20, eta_g=2, Omega1=3, R=10
        ... )
        array([10., nan])
        """
        return self.value("bound", conditions, **values)

    def value(self, name: str, /, conditions: bool = False, **values: object) -> float | Array:
        """A derived quantity by its letter, or the bound, at one point or over arrays.

        >>> chain = statement("fedproxvr.certified.sarah")
        >>> round(chain.value("theta", L=1, lam=0, mu=20, beta=20, tau=28), 3)
        0.502
        """
        formulas = self.statement.formulas
        if name not in formulas:
            raise UnknownName(f"formula of {self.statement.id}", name, formulas)
        given = self.read(values, arrays=True)
        absent = [n for n in formulas[name].names if n not in given]
        if absent:
            raise MissingName(self.statement.id, absent)
        found = _alike(formulas[name].at(given), given)
        return np.where(self._applies(given), found, np.nan)[()] if conditions else found

    def _applies(self, given: Mapping[str, Value]) -> bool | Mask:
        held: Any = True
        for relation in self.statement.relations.values():
            held = np.logical_and(held, relation.holds(given))
        found: bool | Mask = _alike(held, given)
        return found

    def range(self, symbol: str, /, **values: object) -> Range:
        """The admissible values of one symbol; symbols left out are free.

        Returns: intervals with exact ends, the whole numbers inside, and what binds at the ends.
        """
        given = self._read(values, _exact)
        letter = self.letter(symbol)
        target = letter.name
        if target in given:
            raise UnknownName(
                "symbol", f"{target}, which is given as {given[target]}", set(self.names) - set(given)
            )
        if roots := {n: v for n, v in given.items() if isinstance(v, Surd)}:
            return self._with(roots).range(target, **{n: v for n, v in given.items() if n not in roots})
        used = {n: v for n, v in given.items() if n in self.statement.needed}
        found = admissible(self.statement.admissible, target, used, self._domains())
        return replace(found, latex=letter.latex, quantity=letter.quantity)

    def _with(self, roots: Mapping[str, Surd]) -> StatementHandle:
        """The statement in which letters are these numbers by definition."""
        st = self.statement
        said = [*(r.relation for r in st.relations.values()), *(f.expr for f in st.formulas.values())]
        raised = {s.name for part in said for p in part.atoms(sp.Pow) for s in p.exp.free_symbols}
        for n in sorted(raised & set(roots)):
            cure = f"write {n}={math.ceil(float(roots[n]))}"
            raise InputError(n, roots[n], "a whole number, for it is an exponent", cure)
        rest = tuple(letter for letter in st.letters if letter.name not in roots)
        known = tuple(Def(self.letter(n), _expression(v)) for n, v in roots.items())
        return StatementHandle(replace(st, letters=rest, where=(*known, *st.where)))

    def _nearest(self, given: Mapping[str, Fraction]) -> NearestAdmissible | None:
        """The nearest admissible values, or None where a range cannot be told (numbers beyond 1e100)."""
        needed = {n: v for n, v in given.items() if n in self.statement.needed}
        try:
            movable = [
                x.name for x in self.statement.letters if x.name in needed and x.means not in OF_PROBLEM
            ]
            whole = frozenset(n for n in needed if self.letter(n).quantity.whole)
            return nearest(self.statement.admissible, needed, self._domains(), movable, whole)
        except InputError:
            return None

    def _domains(self) -> dict[str, Any]:
        return {letter.name: letter.domain for letter in self.statement.letters}

    def _derived(self, given: Mapping[str, Fraction]) -> dict[str, float]:
        reported = (d.letter.name for d in self.statement.where if d.report)
        found = {n: self.statement.formulas[n] for n in reported}
        ready = {n: float(f.at(given)) for n, f in found.items() if {*f.names} <= {*given}}
        return {n: v for n, v in ready.items() if not math.isnan(v)}

    @property
    def names(self) -> tuple[str, ...]:
        """The letters a user supplies."""
        return tuple(letter.name for letter in self.statement.letters)

    def letter(self, name: str) -> Letter:
        """The letter of this name or canonical word.

        Raises: UnknownName.
        """
        typed = ascii_name(name, self.names)
        for letter in self.statement.letters:
            if typed in (letter.name, letter.means):
                return letter
        raise UnknownName(f"symbol of {self.statement.id}", name, self.names)

    def read(self, values: Mapping[str, object], arrays: bool = False) -> dict[str, Any]:
        """Values by letter from values by letter or canonical word, exact, in their domains.

        Raises: UnknownName; InputError.
        """
        given = self._read(values, number_or_array if arrays else exact_value)
        check_shapes(given)
        return given

    def _read(self, values: Mapping[str, object], read: Callable[..., Any]) -> dict[str, Any]:
        known = {letter.name: letter.quantity for letter in self.statement.letters}
        return read_letters(f"symbol of {self.statement.id}", known, values, read=read)

    def headline(self) -> str:
        """Id and title."""
        return self.statement.headline()

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()

    def _repr_latex_(self) -> str:
        return self.statement._repr_latex_()


def _exact(value: object, of: Quantity, given_name: str) -> Fraction | Surd:
    """A number as it is written, square roots too, in the quantity's domain."""
    text = str(value) if isinstance(value, sp.Expr) and not value.is_Rational else value
    exact: Fraction | Surd = of.check(parse_exact(text, given_name), given_name)
    if isinstance(exact, Surd) and not SMALLEST**2 <= exact.square <= 1 / SMALLEST**2:
        raise InputError(given_name, text, "a root between 1e-100 and 1e100", "rescale the question")
    return exact


def _expression(root: Surd) -> Any:
    size = sp.sqrt(sp.Rational(root.square.numerator, root.square.denominator))
    return -size if root.negative else size


def _alike(values: Any, given: Mapping[str, Any]) -> Any:
    """A bool or a float where all that is given are numbers, else an array of their common shape."""
    shape = np.broadcast_shapes(*(np.shape(v) for v in given.values() if isinstance(v, np.ndarray)))
    return np.broadcast_to(values, shape) if shape else np.asarray(values).item()


def statement(id: str) -> StatementHandle:
    """The statement with this id, ready to be shown, checked and ranged.

    Raises: UnknownName with the nearest id.

    >>> statement("fedproxvr.lemma1.sarah").range("tau", L=1, lam=0, mu=20, beta=30, theta=1).integers
    (8, 547)
    """
    return StatementHandle(catalog.statement(id))
