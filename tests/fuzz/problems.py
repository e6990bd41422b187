"""The tuning problems typed apart from the tuners: what is minimised over which letters of what."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.statement import Statement
from fedproof.solvers.compressors.dithering import Dithering
from fedproof.solvers.compressors.identity import Identity
from fedproof.solvers.compressors.natural import Natural
from fedproof.solvers.compressors.rand_k import RandK


def _e(text: str) -> Any:
    names = "L gamma tau b R I T K m bits d_com d_cmp d_smp d_dev samples Theta alpha c mu2 gap shift2 whole"
    return sp.parse_expr(text, {n: sp.Symbol(n, real=True) for n in names.split()}, evaluate=False)


@dataclass(frozen=True)
class Problem:
    """A statement's set, and what is minimised over it.

    Arguments:
        of: id of the statement.
        cost: what is minimised, by letter.
        moved: the letters that are chosen.
        whole: those of them that are whole.
        rounds: the letter of the rounds, whose number is as large as the cost allows.
        accuracy: the constant that the statement's bound is at most.
        beside: constants that the statement does not have, with what they are where they are not given.
        more: definitions that the problem adds.
        options: as `tune` takes them.
    """

    of: str
    cost: Any
    moved: tuple[str, ...]
    whole: frozenset[str] = frozenset()
    rounds: str = ""
    accuracy: str = ""
    beside: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def statement(self) -> Statement:
        """The statement."""
        return catalog.statement(self.of)

    @property
    def constants(self) -> tuple[str, ...]:
        """The letters that are given."""
        if not self.rounds:
            return ("L", "lam", "sigma2", "gamma")
        chosen = {*self.moved, *self.more, self.rounds, "omega"}
        own = [x.name for x in self.statement.letters if x.name not in chosen]
        return (*own, *(n for n in (self.accuracy, *self.beside) if n and n not in own))


_TIME = _e("(1 + gamma*tau)/Theta")
_ROUND = _e("R*(d_com + tau*(d_cmp + b*d_smp))")
_DEVICES, _BATCHES = _e("T*(d_com + I*(d_dev + samples*d_smp))"), _e("T*(d_com + I*(d_dev + b*d_smp))")
_BITS = _e("K*(m*bits + bits + 32*m**2)")
#: the least beta with (16), and the tau that it has
_OF_WHOLE = {"beta": _e("(4 + sqrt(16 + 160*whole))/10"), "tau": _e("whole")}
_DELAYS = {"d_com": "1", "d_cmp": "0", "d_smp": "0", "b_max": ""}
_DEVICE = {"d_com": "1", "d_dev": "0", "d_smp": "0", "samples": "1", "I_max": "", "b_max": ""}
_PSI = {"Psi0": _e("gap + c*L*mu2**2*alpha**2*shift2")}
_KAPPA = {"kappa0": _e("gap + c*L*alpha**2/2*shift2")}
_SENT = {"gap": "", "shift2": "", "d": "", "m": "1"}


def _training() -> dict[str, Problem]:
    found = {id: Problem("fedproxvr.problem23", _TIME, ("mu", "beta"))
             for id in ("fedproxvr", "fedproxvr.problem23", "fedproxvr.problem20")}  # fmt: skip
    every = ("mu", "beta", "tau")
    found["fedproxvr.problem23.sharpened"] = Problem("fedproxvr.problem23.sharpened", _TIME, every)
    found["fedproxvr tau=integer"] = Problem(
        "fedproxvr.problem23", _TIME, ("mu", "whole"), frozenset({"whole"}),
        more=_OF_WHOLE, options={"tau": "integer"},
    )  # fmt: skip
    for end in ("sarah", "svrg", "sarah.sharpened", "svrg.sharpened"):
        id = f"fedproxvr.certified.{end}"
        found[id] = Problem(id, _TIME, every)
        found[f"{id} tau=integer"] = Problem(id, _TIME, every, frozenset({"tau"}), options={"tau": "integer"})
    return found


def _composite() -> dict[str, Problem]:
    own = ("3.5", "3.5.sharpened", "3.6", "3.6.repaired", "3.6.sharpened", "3.8", "3.8.sharpened")
    named = {
        "composite": "composite.theorem3.5",
        **{f"composite.theorem{n}": f"composite.theorem{n}" for n in own},
    }
    moved, whole = ("eta", "eta_g", "tau", "b"), frozenset({"tau", "b"})
    return {n: Problem(of, _ROUND, moved, whole, "R", "eps", _DELAYS) for n, of in named.items()}


def _devices() -> dict[str, Problem]:
    named = {"fedprox": "fedprox.theorem1.explicit"}
    for k in ("1", "2", "3", "4"):
        for kind in ("general", "explicit") if k != "3" else ("repaired", "general.repaired"):
            named[f"fedprox.theorem{k}.{kind}"] = f"fedprox.theorem{k}.{kind}"
    found = {}
    for name, of in named.items():
        letters = [x.name for x in catalog.statement(of).letters]
        batches = of.startswith(("fedprox.theorem3", "fedprox.theorem4"))
        moved = tuple(n for n in ("I", "b", "eta", "eps") if n in letters or (n == "b" and batches))
        cost = _BATCHES if batches else _DEVICES
        found[name] = Problem(of, cost, moved, frozenset({"I", "b"}), "T", "epsilon", _DEVICE)
    return found


def _bits() -> dict[str, Problem]:
    named = {"flecs": "flecs.theorem4.repaired"}
    every = (
        "theorem4", "theorem4.repaired", "theorem5.repaired", "theorem5.sharpened", "corollary6.repaired",
        "corollary6.units",
    )  # fmt: skip
    named |= {f"flecs.{n}": f"flecs.{n}" for n in every}
    found = {}
    for name, of in named.items():
        moved = ("gamma", "c") if "corollary6" in of else ("alpha", "gamma", "c")
        more = _PSI if "theorem4" in of else _KAPPA
        found[name] = Problem(of, _BITS, moved, frozenset(), "K", "eps", _SENT, more)
    return found


@cache
def problems() -> dict[str, Problem]:
    """By what is asked; an option stands after the id."""
    return {**_training(), **_composite(), **_devices(), **_bits()}


def compressors(d: int) -> list[Any]:
    """Those that FLECS-CGD is tuned over."""
    kept = (d >> k for k in range(1, d.bit_length()))
    levels = (Dithering(levels=1 << k, norm="inf") for k in range(9))
    return [Identity(), Natural(), *levels, *(RandK(k) for k in kept)]


#: decades of each constant, and whether it is 0 now and then
_DECADES = {
    "L": (-1, 1), "lam": (-3, 1), "sigma2": (-2, 1), "gamma": (-8, 2), "n": (0, 3), "B_g": (-2, 0),
    "G": (-1, 1), "Omega1": (-1, 1), "Omega1_sc": (-1, 1), "Delta": (-1, 1), "Delta_rho": (-1, 1),
    "H2": (-2, 1), "rho": (-2, 1), "eps": (-3, 0), "epsilon": (-3, 0), "mu1": (-0.5, 0.5), "gap": (-1, 1),
    "shift2": (-1, 1), "zeta2": (-2, 1), "d": (0.5, 3), "d_com": (-1, 1), "d_cmp": (-3, 0),
    "d_smp": (-4, 0), "d_dev": (-4, 0), "samples": (0, 3), "I_max": (0, 2), "b_max": (0, 2),
}  # fmt: skip
_NONE = frozenset({"lam", "sigma2", "B_g", "H2", "shift2", "zeta2"})
_COUNTED = frozenset({"n", "d", "samples", "I_max", "b_max"})


def drawn(problem: Problem, rng: Random) -> dict[str, str]:
    """Constants as they are typed; what has a usual value is left out now and then."""
    found: dict[str, str] = {}
    for name in problem.constants:
        if name in problem.beside and problem.beside[name] != "" and rng.random() < 0.4:
            continue
        if name in ("I_max", "b_max") and rng.random() < 0.5:
            continue
        if name == "m" or (name == "b_max" and "b" not in problem.moved):
            continue
        found[name] = "0" if name in _NONE and rng.random() < 0.2 else _number(name, found, rng)
    if problem.of == "composite.theorem3.8":
        found["n"] = str(math.isqrt(int(found["n"])) ** 2)
    return found


def _number(name: str, found: Mapping[str, str], rng: Random) -> str:
    share = rng.choice((1.0, rng.random(), rng.random() ** 4)) or 1.0
    if name in ("mu", "mu_sc"):
        return _typed(share * float(Fraction(found["L"])), rng)
    if name == "mu2":
        return _typed(float(Fraction(found["mu1"])) * (1 + 9 * rng.random() * share), rng)
    if name == "nu":
        return _typed(0.3 * share * rng.random() / 10 ** rng.uniform(*_DECADES["rho"]), rng)
    value = 10 ** rng.uniform(*_DECADES[name])
    return str(max(1, round(value))) if name in _COUNTED else _typed(value, rng)


def _typed(value: float, rng: Random) -> str:
    """A number of some digits, most times one that is a double."""
    text = f"{value:.{rng.choice((1, 3, 6))}g}"
    exact = Fraction(float(text))
    return text if rng.random() < 0.4 or exact.denominator > 10**30 else str(exact)
