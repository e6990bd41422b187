"""FedProxVR's tuning problem, (23)-(24): its options, its answer, and enclosures of its minimiser."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from fedproof.tuning.tuned import Tuned
from fedproof.vocabulary.errors import InputError, MissingName, UnknownName
from fedproof.vocabulary.values import parse_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from fedproof.bounds.letter import Letter
    from fedproof.tuning.location import Ends
    from fedproof.tuning.training_time import Optimum

__all__ = ["TUNES", "enclose", "tune"]

#: What can be asked for -> the statement of the problem that is solved.
TUNES = dict.fromkeys(("fedproxvr", "fedproxvr.problem23", "fedproxvr.problem20"), "fedproxvr.problem23")
#: more than the rounding of a minimiser can need
ROUNDING_STEPS = 200
_OPTIONS = ("estimator", "tau", "form")


def tune(
    id: str, /, *, estimator: str = "sarah", tau: str = "real", form: str = "printed", **values: Any
) -> Tuned:
    """Find the parameters that minimise a paper's own objective, with a proven lower bound.

    Source: FedProxVR, problem (23)-(24).

    Arguments:
        id: "fedproxvr" or "fedproxvr.problem23"; "fedproxvr.problem20" is the same in four variables.
        estimator: "sarah", or "svrg", whose problem the paper does not print: tau is then the largest
            real tau of (14).
        tau: "real", or "integer": the best whole tau under (13) or (14) themselves.
        form: "printed".
        values: L, lam, sigma2, gamma, or their words smoothness_sample, weak_convexity, dissimilarity,
            delay_ratio; numbers or text, read exactly as written.

    Returns: objective, argmin, lower bound, certificate and a ready call of `run`.
    Raises: InputError, MissingName or UnknownName, one line each.

    >>> best = tune("fedproxvr", L=1, lam="0.5", sigma2=0, gamma="1e-3")
    >>> round(best.objective, 3), best.certified, best.run["local_steps"]
    (39.127, True, 309)
    """
    from fedproof.bounds.catalog import statement
    from fedproof.tuning.training_time import minimise

    problem = statement(TUNES[id])
    inputs = [x for x in problem.letters if x.symbol not in getattr(problem.claim, "over", ())]
    given = _read(id, inputs, values)
    numbers = {letter.means: given[letter.means] for letter in inputs}
    best = minimise(**numbers, estimator=estimator, tau=tau, form=form)  # type: ignore[arg-type]
    real = None
    if tau == "integer":
        real = minimise(**numbers, estimator=estimator, form=form)  # type: ignore[arg-type]
    return _tuned(id, estimator, numbers, best, real)


def enclose(values: Mapping[str, ArrayLike]) -> dict[str, Ends]:
    """Proved lower and upper ends of the minimiser's coordinates, by letter.

    Arguments:
        values: L, lam, sigma2 and gamma > 0 by letter, arrays that broadcast.
    """
    from fedproof.tuning.location import enclose_minimiser

    found = enclose_minimiser(values["L"], values["lam"], values["sigma2"], values["gamma"])
    return {
        "mu": found.prox_weight,
        "beta": found.inverse_stepsize,
        "tau": found.local_steps,
        "theta": found.inexactness,
        "Theta": found.federated_factor,
    }


def _read(id: str, inputs: list[Letter], values: Mapping[str, Any]) -> dict[str, float]:
    """The values by canonical word, each the double nearest to what was written."""
    by_name = {x.name: x for x in inputs} | {x.means: x for x in inputs}
    found: dict[str, float] = {}
    for name, value in values.items():
        if name not in by_name:
            raise UnknownName(id, name, [*(x.name for x in inputs), *_OPTIONS])
        letter = by_name[name]
        if letter.means in found:
            raise InputError(name, value, f"{letter.name} once", "leave one of the two names out")
        exact = letter.quantity.check(parse_value(value, name), name)
        found[letter.means] = _double(name, exact)
    missing = [x.name for x in inputs if x.means not in found]
    if missing:
        raise MissingName(id, missing)
    return found


def _double(name: str, exact: Fraction) -> float:
    """The nearest double of a magnitude that leaves room for the computation."""
    if exact and not 1e-300 <= abs(exact) <= 1e300:
        raise InputError(name, exact, "0 or a magnitude between 1e-300 and 1e300")
    return float(exact)


def _tuned(
    id: str, estimator: str, numbers: Mapping[str, float], best: Optimum, real: Optimum | None
) -> Tuned:
    objective = float(best.objective)
    if not math.isfinite(objective):
        raise InputError(id, "no feasible point in double precision", "values of less extreme ratios")
    attained = bool(best.attained)
    plain = None if real is None else float(real.objective)
    return Tuned(
        id=id,
        objective=objective,
        argmin=_inward(estimator, numbers, _argmin(best)) if attained else None,
        lower_bound=float(best.lower_bound),
        certified=bool(best.certified),
        gap=float(best.gap),
        active=_active(estimator, bool(best.matched)) if attained else (),
        run=_run(estimator, numbers["smoothness_sample"], best) if attained else None,
        gain=1 - objective / plain if plain is not None and attained else None,
        real=plain,
        note=_note(estimator, best, real),
    )


def _argmin(best: Optimum) -> dict[str, float]:
    return {
        "mu": float(best.prox_weight),
        "beta": float(best.inverse_stepsize),
        "tau": float(best.local_steps),
        "theta": float(best.inexactness),
        "Theta": float(best.federated_factor),
    }


def _inward(estimator: str, numbers: Mapping[str, float], argmin: dict[str, float]) -> dict[str, float]:
    """The minimiser with tau, beta and theta moved by rounding units until Lemma 1 admits their decimals."""
    from fedproof.bounds.catalog import statement
    from fedproof.tuning.ranges import decide

    lemma = statement(f"fedproxvr.lemma1.{estimator}")
    known = {x.name: parse_value(numbers[x.means]) for x in lemma.letters if x.means in numbers}
    found = dict(argmin)
    whole = found["tau"] % 1 == 0
    upper = ("upper", "beta", math.inf) if whole else ("upper", "tau", 0.0)
    for label, name, away in (upper, ("lower", "theta", 1.0)):
        condition = next(c for c in lemma.admissible if c.label.endswith(label))
        for _ in range(ROUNDING_STEPS):
            point = known | {n: parse_value(v) for n, v in found.items() if n != "Theta"}
            if decide(condition.relation, point).holds:
                break
            found[name] = math.nextafter(found[name], away)
    return found


def _run(estimator: str, smoothness: float, best: Optimum) -> dict[str, Any]:
    return {
        "algorithm": "fedproxvr",
        "estimator": estimator,
        "stepsize": 1 / (float(best.inverse_stepsize) * smoothness),
        "local_steps": math.floor(float(best.local_steps)),
        "prox_weight": float(best.prox_weight),
    }


def _active(estimator: str, matched: bool) -> tuple[str, ...]:
    from fedproof.bounds.papers.fedproxvr import statements as s

    lower = s.LOWER if estimator == "sarah" else s.SVRG_LOWER
    uppers = (s.SARAH_UPPER,) if estimator == "sarah" else (s.SVRG_UPPER, s.SVRG_SIDE)
    return tuple(c.label for c in (lower, *(uppers if matched else ())))


def _note(estimator: str, best: Optimum, real: Optimum | None) -> str:
    if not best.attained:
        return "The infimum is not attained: without computation delay the objective falls as tau grows."
    parts = []
    if float(best.local_steps) % 1:
        parts.append(
            "run takes tau rounded down, which Lemma 1 admits with a slightly larger theta; "
            "tau=integer finds the best whole tau."
        )
    if estimator == "svrg":
        parts.append("The paper prints problem (23) for SARAH; this is its counterpart under (14).")
    if not best.certified:
        parts.append("The global minimum is not proved; lower_bound is.")
    if real is not None and best.objective > real.objective:
        parts.append("A whole tau costs more than the real one here.")
    return " ".join(parts)
