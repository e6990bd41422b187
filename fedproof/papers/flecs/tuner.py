"""FLECS-CGD: the compressor, step sizes, sketch and rounds that reach an accuracy in the fewest bits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from fedproof.tuning.admitted import MOST, taken
from fedproof.tuning.as_written import confirmed, keeps, refuse_unmet
from fedproof.tuning.branch_and_bound import ROUNDING
from fedproof.tuning.line_minimum import LineMinimum, minimise_on_line
from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.errors import InputError, InternalError, MissingName
from fedproof.vocabulary.letters import constants, read_letters
from fedproof.vocabulary.quantities import quantity
from fedproof.vocabulary.values import parse_value

if TYPE_CHECKING:
    from fedproof.algebra.arithmetic import Array
    from fedproof.algebra.formula import Formula
    from fedproof.bounds.statement_handle import StatementHandle
    from fedproof.papers.flecs.fewest_rounds.rounds import Rounds
    from fedproof.solvers.compressor import Compressor

#: What can be asked for -> the statement it is about.
TUNES = {
    "flecs": "flecs.theorem4.repaired",
    **{
        id: id
        for id in (
            "flecs.theorem4",
            "flecs.theorem4.repaired",
            "flecs.theorem5",
            "flecs.theorem5.repaired",
            "flecs.theorem5.sharpened",
            "flecs.corollary6",
            "flecs.corollary6.repaired",
            "flecs.corollary6.units",
        )
    },
}
#: of the start and of the messages: letter -> quantity and what it is where it is not given
_BESIDE: Mapping[str, tuple[str, float | None]] = {
    "gap": ("initial_gap", None), "shift2": ("initial_dissimilarity", None), "eps": ("accuracy", None),
    "d": ("model_size", None), "m": ("memory_size", 1),
}  # fmt: skip
_CHOSEN = ("alpha", "gamma", "c")
#: what the compressor, the start and the rounds say
_IMPLIED = ("omega", "Psi0", "kappa0", "K")
CLOSE = 1e-9
_READ = constants("1e-50", "1e50", lambda of: of.whole, 1_000_000_000)
_TRIED = 500
_MORE = (0.0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6)
"""Shares of the fewest rounds, one of which more keeps the accuracy in decimals."""


@dataclass(frozen=True)
class Choice:
    """A compressor with the fewest rounds that a theorem promises for it, and where it does."""

    compressor: Compressor
    bits: int
    search: Rounds
    found: LineMinimum

    @property
    def total(self) -> float:
        """Bits that a node sends in all rounds."""
        return self.found.value * self.bits

    @property
    def least(self) -> float:
        """Bits below which nothing that the theorem admits for this compressor comes."""
        return self.found.lower_bound * self.bits


def tune(id: str, /, **values: Any) -> TuneResult:
    """Find the compressor, sketch, step sizes and rounds whose bound reaches an accuracy in the fewest bits.

    Minimises K (m b(d) + b(d) + 32 m^2), the bits that a node sends, b(d) those of a compressed vector of d
    numbers, over whole K and m, the letters alpha, gamma and c that the theorem admits, and the compressors
    identity, natural compression, dithering with p = infinity and 1, 2, 4, ..., 256 levels, and rand-k with
    k = d/2, d/4, ... No bound has m, and the bits rise in it: m is 1 unless it is given.
    Source: FLECS-CGD, Theorems 4 and 5 and Corollary 6, as printed and amended, and Sec. 3, Communication
    complexity.

    Arguments:
        id: "flecs" for "flecs.theorem4.repaired"; "flecs.theorem4"; "flecs.theorem5", with ".repaired" and
            ".sharpened"; "flecs.corollary6", with ".repaired" and ".units".
        values: L, mu1, mu2, n and sigma2 by letter or word, mu for Theorem 4, zeta2 for the others; gap,
            F(w_0) - F*; shift2, the mean of |h_0 - h_*|^2 over the workers; eps, of the theorem's metric; d;
            m, where it is not to be chosen.

    Returns: bits, argmin, a proved lower bound of the bits, and a ready call of `run`.
    Raises: InputError, MissingName or UnknownName, one line each.

    >>> best = tune("flecs", L=1, mu="0.1", mu1=1, mu2=1, n=50, sigma2=0, gap=1, shift2=1, eps="1e-6", d=100)
    >>> best.run["gradient_compressor"], best.argmin["K"], best.certified
    ('dithering', 2510.0, True)
    """
    from fedproof.bounds.catalog import statement

    numbers = _read(id, values)
    found = choices(TUNES[id], numbers)
    best = min(found, key=lambda choice: choice.total)
    if not best.found.value <= MOST:
        raise _unreached(TUNES[id], numbers, found)
    letters, rounds = admitted_setting(best, numbers)
    least, total = min(choice.least for choice in found), float(rounds * best.bits)
    argmin = {n: float(letters[n]) for n in _CHOSEN} | {"K": float(rounds), "m": float(numbers["m"])}
    gap = total / least - 1
    answer = TuneResult(
        id=id, form=_form(TUNES[id]), objective=total, argmin=argmin, lower_bound=least,
        certified=gap <= CLOSE, gap=gap, active=(), run=run_of(best, argmin, numbers), gain=None, real=None,
        note=_note(TUNES[id], found, best, letters, numbers),
        minimised="K (m b + b + 32 m^2), the bits that a node sends, b those of a compressed vector",
        over=f"all alpha, gamma, c and whole K that {TUNES[id]} admits with a bound of at most eps, "
        f"for {len({choice.compressor for choice in found})} compressors",
    )  # fmt: skip
    return confirmed(answer, statement(TUNES[id]), numbers)


def _read(id: str, values: Mapping[str, Any]) -> dict[str, float]:
    """Constants by letter."""
    from fedproof.bounds.catalog import statement

    given_letters = [x for x in statement(TUNES[id]).letters if x.name not in (*_CHOSEN, *_IMPLIED)]
    known = {x.name: x.quantity for x in given_letters}
    known |= {name: quantity(word) for name, (word, _) in _BESIDE.items()}
    found = read_letters(id, known, values, (), _READ)
    given = {name: usual for name, (_, usual) in _BESIDE.items() if usual is not None} | found
    missing = [name for name in known if name not in given]
    if missing:
        raise MissingName(id, missing)
    for least, most in (("mu", "L"), ("mu1", "mu2"), ("m", "d")):
        if parse_value(given.get(least, 0.0)) > parse_value(given[most]):
            raise InputError(least, values.get(least, given[least]), f"at most {most} = {given[most]:g}")
    if TUNES[id] in ("flecs.corollary6", "flecs.corollary6.repaired") and 2 * parse_value(given["mu1"]) <= 1:
        cure = "ask flecs.corollary6.units"
        raise InputError("mu1", values.get("mu1", given["mu1"]), "2 mu1 > 1 for a positive step size", cure)
    refuse_unmet(statement(TUNES[id]), given)
    return given


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


def choices(id: str, numbers: Mapping[str, float]) -> list[Choice]:
    """Each compressor with the fewest rounds that the theorem promises for it."""
    d, m = int(numbers["d"]), int(numbers["m"])
    return [
        Choice(compressor, _bits(compressor, m, d), search, _fewest(search))
        for compressor in _compressors(d)
        for search in _searches(id, numbers, _omega(compressor, d))
    ]


def _searches(id: str, numbers: Mapping[str, float], omega: Fraction) -> tuple[Rounds, ...]:
    """What is to be searched for a theorem at a compressor's omega; nothing where it admits none."""
    from fedproof.bounds.catalog import statement
    from fedproof.papers.flecs.fewest_rounds.corollary6 import Rounds6
    from fedproof.papers.flecs.fewest_rounds.rounds import ROOM, TINY, rounded
    from fedproof.papers.flecs.fewest_rounds.theorem4 import Rounds4
    from fedproof.papers.flecs.fewest_rounds.theorem5 import Rounds5

    printed, most = statement(id).amends is None, 1 / (1 + omega)
    if id.startswith("flecs.theorem4"):
        ends = (min(most, 1 - Fraction(ROOM)), TINY) if printed else (most,)
        return tuple(Rounds4(id, numbers, omega, rounded(end, down=True)) for end in ends)
    if printed and not omega:
        return ()  # its bound on alpha divides by omega
    return ((Rounds6 if id.startswith("flecs.corollary6") else Rounds5)(id, numbers, omega),)


def _omega(compressor: Compressor, d: int) -> Fraction:
    omega = compressor.omega(d).value
    assert omega is not None, "the compressors tried are unbiased"
    return Fraction(omega)


def _fewest(search: Rounds) -> LineMinimum:
    """The fewest whole rounds, a proved lower bound of them, and of many places that do the best inside."""

    def whole(rounds: Array, by: float) -> Array:
        return np.maximum(1.0, np.ceil(rounds * (1 + by)))

    found = minimise_on_line(
        lambda places: whole(search.rounds(places), ROUNDING),
        lambda low, high: whole(search.least(low, high), -ROUNDING),
        search.cuts,
    )
    places = np.append(found.place, search.cuts[-1] * np.linspace(1.0, 0.0, _TRIED, endpoint=False))
    return replace(found, place=float(places[np.argmin(search.rounds(places))]))


def admitted_setting(best: Choice, numbers: Mapping[str, float]) -> tuple[dict[str, Fraction], int]:
    """Decimals that the statement admits with a bound of at most eps, decided by itself."""
    from fedproof.bounds.catalog import statement
    from fedproof.bounds.statement_handle import StatementHandle

    asked = StatementHandle(statement(best.search.id))
    fewest = int(best.found.value)
    for rounds in (fewest, fewest + 1, *(fewest + math.ceil(fewest * share) + 2 for share in _MORE)):
        letters = best.search.letters(best.found.place, rounds)
        if _keeps(asked, best, letters, rounds, numbers["eps"]):
            return letters, rounds
    raise InternalError(f"{best.search.id} does not keep {numbers['eps']} with {best.found.value:g} rounds")


def _keeps(
    asked: StatementHandle, of: Choice, letters: Mapping[str, Any], rounds: int, accuracy: float
) -> bool:
    """Whether the statement is applicable and promises the accuracy."""
    known = taken(asked, {**of.search.numbers, **letters, "omega": of.search.omega, "K": rounds})
    return bool(asked.applies(**known)) and keeps(asked.statement.formulas["bound"], known, accuracy)


@cache
def _sent() -> Formula:
    from fedproof.algebra.formula import Formula
    from fedproof.papers.flecs.statements.communication import FLECS_CGD

    return Formula(FLECS_CGD)


def _bits(compressor: Compressor, m: int, d: int) -> int:
    """What a worker sends in a round; a compressed value takes a d-th of the bits of a vector of d."""
    return int(_sent().at({"bits": Fraction(compressor.bits(d), d), "m": Fraction(m), "d": Fraction(d)}))


def _unreached(id: str, numbers: Mapping[str, float], found: list[Choice]) -> InputError:
    """No setting is good enough: the floor of a printed bound, or too many rounds."""
    from fedproof.papers.flecs.fewest_rounds.rounds import value

    cure = "ask for a larger eps" + (", or lower sigma2 by larger batches" if numbers["sigma2"] else "")
    floor = found[0].search.floor
    if numbers["eps"] <= (least := value(floor, numbers)):
        wanted = f"more than {least:.6g}: no K, alpha, gamma or c brings it below {floor}".replace("**", "^")
        return InputError("eps", numbers["eps"], wanted, f"{cure}, or ask {id}.repaired")
    least = min(choice.found.lower_bound for choice in found)
    return InputError("eps", numbers["eps"], f"one that {MOST:g} rounds reach, not {least:.3g}", cure)


def _form(id: str) -> str:
    from fedproof.papers.flecs.verdicts import VERDICTS

    return f"as printed: {VERDICTS[id]}" if id in VERDICTS else {
        "sharpened": "sharpened", "units": "in any units"
    }.get(id.rpartition(".")[2], "with conditions that suffice")  # fmt: skip


def run_of(best: Choice, argmin: Mapping[str, float], numbers: Mapping[str, float]) -> dict[str, Any]:
    """A call of `run`, the truncation that of mu1 and mu2."""
    made: Any = best.compressor
    parts = ("gradient_compressor", "hessian_compressor")
    own = {f"{part}.{f.name}": getattr(made, f.name) for part in parts for f in fields(made)}
    return {
        "algorithm": "flecs_cgd", "stepsize": argmin["alpha"], "shift_stepsize": argmin["gamma"],
        "memory": int(argmin["m"]), "direction": "truncated_inverse", "trunc_lo": 1 / numbers["mu2"],
        "trunc_hi": 1 / numbers["mu1"], **dict.fromkeys(parts, made.name), **own, "rounds": int(argmin["K"]),
    }  # fmt: skip


def _note(
    id: str,
    found: list[Choice],
    best: Choice,
    letters: Mapping[str, Fraction],
    numbers: Mapping[str, float],
) -> str:
    """What was minimised over what, what the others take, and what is not promised."""
    kinds: dict[str, float] = {}
    for choice in sorted(found, key=lambda choice: choice.total):
        if choice is not best:
            kinds.setdefault(choice.compressor.name, choice.total / best.total)
    beside = ", ".join(f"{name} {ratio:.3g} times" for name, ratio in kinds.items())
    said = [
        "The bits K (m b + b + 32 m^2) that a node sends, b of a compressed vector, over all alpha, gamma, c "
        f"and K of {id} and {len({choice.compressor for choice in found})} compressors, by the theorem's "
        "bound alone; no bound has m, so that the least is cheapest.",
        f"Bits of the best of each kind beside it: {beside}.",
    ]
    if best.found.value == 1:
        said.append("One round is the least that the theorem speaks of; the start may do.")
    if best.search.printed:
        said.append(_as_printed(id, letters, numbers))
    return " ".join(said)


def _as_printed(id: str, letters: Mapping[str, Fraction], numbers: Mapping[str, float]) -> str:
    """That nothing is promised, how the printed conditions were read, and what the amended form takes."""
    amended = min(choices(f"{id}.repaired", numbers), key=lambda choice: choice.total)
    takes = f"{id}.repaired takes {amended.total:.7g} bits with {amended.compressor.name}."
    if not amended.found.value <= MOST:
        takes = f"{id}.repaired takes more than {MOST:g} rounds."
    read = "c may be as small as one likes, so that compression is free; denominators are read as positive."
    if id == "flecs.theorem4":
        read = f"c is {letters['c']}, of which the number shown is the nearest double."
    return f"As printed the theorem is refuted and promises nothing. {read} {takes}"
