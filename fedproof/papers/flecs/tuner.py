"""FLECS-CGD: the compressor, step sizes and rounds that reach an accuracy in the fewest bits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.algebra.arithmetic import Array, Reals
from fedproof.tuning.admitted import MOST
from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.errors import InputError, MissingName
from fedproof.vocabulary.letters import exact_value, read_letters
from fedproof.vocabulary.quantities import Quantity, quantity

if TYPE_CHECKING:
    from fedproof.algebra.formula import Formula
    from fedproof.bounds.statement_handle import StatementHandle
    from fedproof.solvers.compressor import Compressor

#: What can be asked for -> the statement it is about.
TUNES = {"flecs": "flecs.theorem4.repaired", "flecs.theorem4.repaired": "flecs.theorem4.repaired"}
_GIVEN = ("L", "mu", "mu1", "mu2", "n", "sigma2")
#: of the start and of the messages: letter -> quantity and what it is where it is not given
_BESIDE: Mapping[str, tuple[str, float | None]] = {
    "gap": ("initial_gap", None), "shift2": ("initial_dissimilarity", None), "eps": ("accuracy", None),
    "d": ("model_size", None), "m": ("memory_size", 1),
}  # fmt: skip
DIGITS = 6
"""Significant digits of alpha, gamma and c."""
_STEPS = 400
_ROOM = 1e-9
"""Of a condition that holds with equality."""
_TRIED = 50


@dataclass(frozen=True)
class _Choice:
    """A compressor with the best step sizes that Theorem 4 admits for it."""

    compressor: Compressor
    bits: int
    letters: Mapping[str, float]
    rounds: int

    @property
    def total(self) -> float:
        """Bits that a node sends in all rounds."""
        return float(self.rounds) * self.bits


def tune(id: str, /, **values: Any) -> TuneResult:
    """Find the compressor, step sizes and rounds whose bound reaches an accuracy in the fewest bits sent.

    Minimises K (m b(d) + b(d) + 32 m^2), b(d) the bits of a compressed vector of d numbers, over K, alpha and
    c, with the largest gamma, over identity, natural compression, dithering with p = infinity and 1, 2, 4,
    ..., 256 levels, and rand-k with k = d/2, d/4, ..., under Theorem 4 with conditions that suffice.
    Source: FLECS-CGD, Theorem 4, repaired, and Sec. 3, Communication complexity.

    Arguments:
        id: "flecs", or "flecs.theorem4.repaired".
        values: L, mu, mu1, mu2, n and sigma2 by letter or word; gap, F(w_0) - F*; shift2, the mean of
            |h_0 - h_*|^2 over the workers; eps, of the Lyapunov function; d; m, 1 where not given.

    Returns: bits, argmin, a proved lower bound of the bits, and a ready call of `run`.
    Raises: InputError, MissingName or UnknownName, one line each.

    >>> best = tune("flecs", L=1, mu="0.1", mu1=1, mu2=1, n=50, sigma2=0, gap=1, shift2=1, eps="1e-6", d=100)
    >>> best.run["gradient_compressor"], best.argmin["K"]
    ('dithering', 2510.0)
    """
    from fedproof.bounds.catalog import statement
    from fedproof.bounds.statement_handle import StatementHandle

    numbers = _read(id, values)
    asked = StatementHandle(statement(TUNES[id]))
    found = [c for q in _compressors(int(numbers["d"])) if (c := _best(asked, q, numbers)) is not None]
    if not found:
        wanted = f"an accuracy above the noise's floor, that {MOST:g} rounds reach"
        raise InputError("eps", numbers["eps"], wanted, "ask for a larger eps")
    best = min(found, key=lambda choice: choice.total)
    least = min(_least(numbers, c.compressor, c.bits) for c in found)
    gap = best.total / least - 1
    return TuneResult(
        id=id, form="with conditions that suffice", objective=best.total,
        argmin={**{name: best.letters[name] for name in ("alpha", "gamma", "c")}, "K": float(best.rounds)},
        lower_bound=least, certified=gap <= 1e-9, gap=gap, active=(), run=_run(best, numbers),
        gain=None, real=None, note=_note(found, best),
    )  # fmt: skip


def _read(id: str, values: Mapping[str, Any]) -> dict[str, float]:
    """Constants by letter."""
    from fedproof.papers.flecs import notation
    from fedproof.papers.flecs.notation import NOTATION

    known = {name: NOTATION.letter(getattr(notation, name)).quantity for name in _GIVEN}
    known |= {name: quantity(word) for name, (word, _) in _BESIDE.items()}
    found = read_letters(id, known, values, (), _double)
    missing = [
        n for n in (*_GIVEN, *(b for b, (_, usual) in _BESIDE.items() if usual is None)) if n not in found
    ]
    if missing:
        raise MissingName(id, missing)
    given = {name: usual for name, (_, usual) in _BESIDE.items() if usual is not None} | found
    for least, most in (("mu", "L"), ("mu1", "mu2"), ("m", "d")):
        if given[least] > given[most]:
            raise InputError(least, values.get(least, given[least]), f"at most {most} = {given[most]:g}")
    return given


def _double(value: object, of: Quantity, given_name: str) -> float:
    exact = exact_value(value, of, given_name)
    if exact and not 1e-50 <= abs(exact) <= 1e50:
        raise InputError(given_name, value, "0 or a magnitude between 1e-50 and 1e50")
    if of.whole and (exact.denominator != 1 or exact > 1_000_000_000):
        near = max(1, round(float(exact)))
        raise InputError(given_name, value, "a whole number up to 1000000000", f"write {given_name}={near}")
    return float(exact)


def _compressors(d: int) -> Iterator[Compressor]:
    """Those that are tried, unbiased all."""
    from fedproof.solvers.compressors.dithering import Dithering
    from fedproof.solvers.compressors.identity import Identity
    from fedproof.solvers.compressors.natural import Natural
    from fedproof.solvers.compressors.rand_k import RandK

    yield Identity()
    yield Natural()
    yield from (Dithering(levels=1 << k, norm="inf") for k in range(9))
    kept = d
    while kept > 1:
        kept //= 2
        yield RandK(kept)


def _best(asked: StatementHandle, compressor: Compressor, numbers: Mapping[str, float]) -> _Choice | None:
    """The step size, of a grid over its logarithm, with the fewest rounds; None where none reaches eps."""
    omega = _above(compressor.omega(int(numbers["d"])).value)
    gamma = _short(1 / (1 + omega), down=True)
    top = longest_step(numbers, omega, gamma)
    steps = np.array([_short(step, down=True) for step in np.geomspace(top * 1e-6, top, _STEPS).tolist()])
    letters = _at_steps(numbers, omega, gamma, steps)
    rounds = _rounds(letters, numbers)
    best = int(np.argmin(rounds))
    if rounds[best] > MOST:
        return None
    least, chosen = int(rounds[best]), _one(letters, best)
    for count in range(least, least + _TRIED):
        checked = asked.check(**chosen, K=count)
        if not checked.applicable:
            return None
        if checked.bound is not None and checked.bound <= numbers["eps"]:
            return _Choice(compressor, _bits(compressor, int(numbers["m"]), int(numbers["d"])), chosen, count)
    return None


def admitted_letters(
    numbers: Mapping[str, float], omega: float, gamma: float, alpha: float
) -> dict[str, float] | None:
    """All letters but K, c the least that the condition on it admits; None where none does."""
    found = _one(_at_steps(numbers, omega, gamma, np.array([alpha])), 0)
    return None if math.isnan(found["c"]) else found


def _at_steps(numbers: Mapping[str, float], omega: float, gamma: float, alpha: Array) -> dict[str, Any]:
    """All letters but K at each alpha, c the least that the condition on it admits; NaN where none does."""
    known: dict[str, Any] = {name: numbers[name] for name in _GIVEN}
    known |= {"omega": omega, "gamma": gamma, "alpha": alpha}
    room = _value("room", known)
    least = np.maximum(_value("asked", known) / np.where(room > 0, room, math.nan), 1e-12).tolist()
    known["c"] = np.array([c if math.isnan(c) else _short(c, down=False) for c in least])
    fits = _value("load", known) / _value("limit", known) * alpha <= 1 - _ROOM
    known["c"] = np.where(fits, known["c"], math.nan)
    return {**known, "Psi0": numbers["gap"] + _value("shifts", known) * numbers["shift2"]}


def _one(letters: Mapping[str, Any], place: int) -> dict[str, float]:
    """The letters at one of the steps."""
    return {name: float(v[place]) if np.ndim(v) else v for name, v in letters.items()}


def _value(name: str, known: Mapping[str, Any]) -> Any:
    return _terms()[name].within(Reals(), known)


@cache
def _terms() -> Mapping[str, Formula]:
    """What the search evaluates, read off Theorem 4's formulas.

    Each condition is linear in a letter: load alpha <= limit, and asked <= c room. A round takes the share
    `falls` off, `floor` stays, `shifts` weighs what the shifts are off at the start.
    """
    from fedproof.algebra.formula import Formula
    from fedproof.papers.flecs.notation import alpha, c
    from fedproof.papers.flecs.statements import formulas as f
    from fedproof.papers.flecs.statements.communication import FLECS_CGD

    parts = {
        "load": f.STEPSIZE4.lhs.subs(alpha, 1), "limit": f.STEPSIZE4.rhs, "asked": f.LYAPUNOV4.lhs,
        "room": f.LYAPUNOV4.rhs.subs(c, 1), "falls": (1 - f.KEEPS.doit()).doit(), "floor": f.FLOOR4,
        "shifts": f.SHIFTS4, "bits": FLECS_CGD,
    }  # fmt: skip
    return {name: Formula(expr) for name, expr in parts.items()}


def _stretch(numbers: Mapping[str, float], omega: float, gamma: float) -> float:
    """1 over the longest alpha where c is 0."""
    at = {**numbers, "omega": omega, "gamma": gamma, "c": 0.0}
    return float(_value("load", at) / _value("limit", at))


def _bits(compressor: Compressor, m: int, d: int) -> int:
    """What a worker sends in a round; a compressed value takes a d-th of the bits of a vector of d."""
    at = {"bits": Fraction(compressor.bits(d), d), "m": Fraction(m), "d": Fraction(d)}
    return int(_terms()["bits"].at(at))


def longest_step(numbers: Mapping[str, float], omega: float, gamma: float) -> float:
    """The longest alpha for which c can be chosen, by bisection: a longer one asks for a larger c."""
    low, high = 0.0, 1 / _stretch(numbers, omega, gamma)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if admitted_letters(numbers, omega, gamma, middle) else (low, middle)
    return low


def _rounds(letters: Mapping[str, Any], numbers: Mapping[str, float]) -> Array:
    """How many rounds leave no more than what the noise's floor leaves of eps; infinite where none do."""
    falls = -np.log1p(-_value("falls", letters))
    left = numbers["eps"] - _value("floor", letters)
    with np.errstate(all="ignore"):
        asked = np.maximum(1.0, np.ceil(np.log(letters["Psi0"] / left) / falls))
    found: Array = np.where(left > 0, np.where(letters["Psi0"] <= left, 1.0, asked), math.inf)
    return found


def _least(numbers: Mapping[str, float], compressor: Compressor, bits: int) -> float:
    """Bits below which no alpha, gamma and c bring this compressor's bound to eps.

    alpha is at most what c = 0 admits, and Psi_0 at least the gap.
    """
    omega = float(compressor.omega(int(numbers["d"])).value)
    alpha = 1 / _stretch(numbers, omega * (1 - 1e-12), 0.0)
    falls = -math.log1p(-min(_value("falls", {**numbers, "alpha": alpha}), 1 - 1e-12))
    ratio = numbers["gap"] / numbers["eps"]
    rounds = max(1.0, math.log(ratio) / falls) if ratio > 1 else 1.0
    return bits * rounds * (1 - 1e-9)


def _above(value: Any) -> float:
    """A double that is not below."""
    found = float(value)
    return found if Fraction(found) >= Fraction(value) else math.nextafter(found, math.inf)


def _short(value: float, down: bool) -> float:
    """A number of few digits, not above, or not below.

    >>> _short(0.123456789, True), _short(0.123456789, False)
    (0.123456, 0.123457)
    """
    place = DIGITS - 1 - math.floor(math.log10(value))
    scaled = value * 10.0**place
    return float(f"{math.floor(scaled) if down else math.ceil(scaled)}e{-place}")


def _run(best: _Choice, numbers: Mapping[str, float]) -> dict[str, Any]:
    """A call of `run`, the truncation that of mu1 and mu2."""
    made: Any = best.compressor
    parts = ("gradient_compressor", "hessian_compressor")
    own = {f"{part}.{f.name}": getattr(made, f.name) for part in parts for f in fields(made)}
    return {
        "algorithm": "flecs_cgd", "stepsize": best.letters["alpha"], "shift_stepsize": best.letters["gamma"],
        "memory": int(numbers["m"]), "direction": "truncated_inverse", "trunc_lo": 1 / numbers["mu2"],
        "trunc_hi": 1 / numbers["mu1"], **dict.fromkeys(parts, made.name), **own, "rounds": best.rounds,
    }  # fmt: skip


def _note(found: list[_Choice], best: _Choice) -> str:
    """What the others take, and where there was nothing to do."""
    others = sorted((c for c in found if c is not best), key=lambda choice: choice.total)
    kinds: dict[str, float] = {}
    for choice in others:
        kinds.setdefault(choice.compressor.name, choice.total / best.total)
    said = ", ".join(f"{name} {ratio:.3g} times" for name, ratio in kinds.items())
    begun = (
        " One round is the least that the theorem speaks of; the start may do." if best.rounds == 1 else ""
    )
    return f"By the theorem's bound alone. Bits of the best of each kind beside it: {said}.{begun}"
