"""FedProxVR's tuning problem, (23)-(24): its options, its answer, and enclosures of its minimiser."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.errors import InputError, MissingName
from fedproof.vocabulary.letters import exact_value, read_letters
from fedproof.vocabulary.quantities import Quantity
from fedproof.vocabulary.values import parse_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from fedproof.bounds.letter import Letter
    from fedproof.bounds.statement import Condition
    from fedproof.papers.fedproxvr.training_time.minimise import Optimum
    from fedproof.papers.fedproxvr.training_time.minimiser_enclosure import Ends

#: What can be asked for -> its form, where the id says it.
TUNES = {
    "fedproxvr": None,
    "fedproxvr.problem23": None,
    "fedproxvr.problem20": None,
    "fedproxvr.problem23.sharpened": "sharpened",
}
#: how often a coordinate may be moved, first by a rounding unit, then by twice as many each time
ROUNDING_STEPS = 40
_OPTIONS = ("estimator", "tau", "form")


def tune(
    id: str, /, *, estimator: str = "sarah", tau: str = "real", form: str | None = None, **values: Any
) -> TuneResult:
    """Find the parameters that minimise a paper's own objective, with a proven lower bound.

    Source: FedProxVR, problem (23)-(24).

    Arguments:
        id: "fedproxvr" or "fedproxvr.problem23"; "fedproxvr.problem20" is the same in four variables;
            "fedproxvr.problem23.sharpened" is the sharpened form.
        estimator: "sarah", or "svrg", whose problem the paper does not print: tau is then the largest
            real tau of (14).
        tau: "real", or "integer": the best whole tau under (13) or (14) themselves.
        form: "printed", or "sharpened": under the sharpened Lemma 1 and Theorem 1.
        values: L, lam, sigma2, gamma, or their words smoothness_sample, weak_convexity, dissimilarity,
            delay_ratio; numbers or text, read exactly as written.

    Returns: objective, argmin, lower bound, certificate and a ready call of `run`.
    Raises: InputError, MissingName or UnknownName, one line each.

    >>> best = tune("fedproxvr", L=1, lam="0.5", sigma2=0, gamma="1e-3")
    >>> round(best.objective, 3), best.certified, best.run["local_steps"]
    (39.127, True, 309)
    >>> best = tune("fedproxvr", L=1, lam="0.5", sigma2=0, gamma="1e-3", form="sharpened")
    >>> round(best.objective, 3), best.certified, best.run["local_steps"]
    (7.095, True, 182)
    """
    from fedproof.bounds.catalog import statement
    from fedproof.papers.fedproxvr.training_time.minimise import minimise

    tuned_form = TUNES[id]
    if tuned_form is not None and form not in (None, tuned_form):
        raise InputError("form", form, tuned_form, f"{id} is {tuned_form}")
    form = tuned_form or form or "printed"
    problem = statement("fedproxvr.problem23")
    inputs = [x for x in problem.letters if x.symbol not in getattr(problem.claim, "over", ())]
    given = _read(id, inputs, values)
    numbers = {letter.means: given[letter.means] for letter in inputs}
    best = minimise(**numbers, estimator=estimator, tau=tau, form=form)  # type: ignore[arg-type]
    real = None
    if tau == "integer":
        real = minimise(**numbers, estimator=estimator, form=form)  # type: ignore[arg-type]
    return _tuned(id, form, estimator, numbers, best, real)


def enclose(values: Mapping[str, ArrayLike]) -> dict[str, Ends]:
    """Proved lower and upper ends of the minimiser's coordinates, by letter.

    Arguments:
        values: L, lam, sigma2 and gamma > 0 by letter, arrays that broadcast.
    """
    from fedproof.papers.fedproxvr.training_time.minimiser_enclosure import enclose_minimiser

    return enclose_minimiser(values["L"], values["lam"], values["sigma2"], values["gamma"])


def _read(id: str, inputs: list[Letter], values: Mapping[str, Any]) -> dict[str, float]:
    """The values by canonical word, each the double nearest to what was written."""
    found = read_letters(id, {x.name: x.quantity for x in inputs}, values, _OPTIONS, _double)
    missing = [x.name for x in inputs if x.name not in found]
    if missing:
        raise MissingName(id, missing)
    return {x.means: found[x.name] for x in inputs}


def _double(value: object, of: Quantity, given_name: str) -> float:
    """The nearest double of a magnitude that leaves room for the computation."""
    exact = exact_value(value, of, given_name)
    if exact and not 1e-300 <= abs(exact) <= 1e300:
        raise InputError(given_name, exact, "0 or a magnitude between 1e-300 and 1e300")
    return float(exact)


def _tuned(
    id: str, form: str, estimator: str, numbers: Mapping[str, float], best: Optimum, real: Optimum | None
) -> TuneResult:
    objective = float(best.objective)
    if not math.isfinite(objective):
        raise InputError(id, "no feasible point in double precision", "values of less extreme ratios")
    attained = bool(best.attained)
    plain = None if real is None else float(real.objective)
    argmin = _inward(form, estimator, numbers, _argmin(best)) if attained else None
    return TuneResult(
        id=id,
        form=form,
        objective=objective,
        argmin=argmin,
        lower_bound=float(best.lower_bound),
        certified=bool(best.certified),
        gap=float(best.gap),
        active=_active(form, estimator, best) if attained else (),
        run=_run(estimator, numbers["smoothness_sample"], argmin) if argmin else None,
        gain=1 - objective / plain if plain is not None and attained else None,
        real=plain,
        note=_note(form, estimator, best, real),
    )


def _argmin(best: Optimum) -> dict[str, float]:
    return {
        "mu": float(best.prox_weight),
        "beta": float(best.inverse_stepsize),
        "tau": float(best.local_steps),
        "theta": float(best.inexactness),
        "Theta": float(best.federated_factor),
    }


def _bounding(form: str, estimator: str) -> dict[str, Condition]:
    """The conditions that can hold with equality at a minimiser, by what they bound."""
    from fedproof.papers.fedproxvr.statements import printed as statements
    from fedproof.papers.fedproxvr.statements import sharpened

    sarah, of = estimator == "sarah", sharpened if form == "sharpened" else statements
    found = {
        "lower": of.LOWER if sarah else of.SVRG_LOWER,
        "upper": of.SARAH_UPPER if sarah else of.SVRG_UPPER,
    }
    return found | ({"short": sharpened.SHORT} if form == "sharpened" else {})


def _inward(
    form: str, estimator: str, numbers: Mapping[str, float], argmin: dict[str, float]
) -> dict[str, float]:
    """The minimiser moved by rounding units until the lemma and the closed chain admit its decimals."""
    from fedproof.bounds.catalog import statement

    end = "" if form == "printed" else f".{form}"
    names = (f"lemma1.{estimator}", "theorem1", f"certified.{estimator}")
    parts = [statement(f"fedproxvr.{name}{end}") for name in names]
    relations = {label: r for part in parts for label, r in part.relations.items()}
    known = {x.name: parse_value(numbers[x.means]) for x in parts[0].letters if x.means in numbers}
    found = dict(argmin)
    moves = {"short": "mu", "upper": "beta", "lower": "theta"}
    for role, condition in reversed(_bounding(form, estimator).items()):
        name, relation = moves[role], relations[condition.label]
        for step in range(ROUNDING_STEPS):
            point = known | {n: parse_value(v) for n, v in found.items() if n != "Theta"}
            if relation.holds(point):
                break
            found[name] += 2**step * math.ulp(found[name])
    return found


def _run(estimator: str, smoothness: float, argmin: Mapping[str, float]) -> dict[str, Any]:
    return {
        "algorithm": "fedproxvr",
        "estimator": estimator,
        "stepsize": 1 / (argmin["beta"] * smoothness),
        "local_steps": math.floor(argmin["tau"]),
        "prox_weight": argmin["mu"],
    }


def _active(form: str, estimator: str, best: Optimum) -> tuple[str, ...]:
    """Labels of what holds with equality; the sharpened theta leaves room between tau and tau + 1."""
    from fedproof.papers.fedproxvr.statements import printed as statements

    equal = {"lower": form == "printed", "upper": bool(best.matched), "short": bool(best.short)}
    found = [c for role, c in _bounding(form, estimator).items() if equal[role]]
    if form == "printed" and estimator == "svrg" and best.matched:
        found.append(statements.SVRG_SIDE)
    return tuple(c.label for c in found)


def _note(form: str, estimator: str, best: Optimum, real: Optimum | None) -> str:
    if not best.attained:
        return "The infimum is not attained: without computation delay the objective falls as tau grows."
    parts, which = [], "" if form == "printed" else f"{form} "
    if float(best.local_steps) % 1:
        more = "a slightly larger" if form == "printed" else "the same"
        parts.append(
            f"run takes tau rounded down, which the {which}Lemma 1 admits with {more} theta; "
            "tau=integer finds the best whole tau."
        )
    if form == "sharpened":
        parts.append("The sharpened statements are not in the paper.")
    if estimator == "svrg":
        parts.append(f"The paper prints problem (23) for SARAH; this is its counterpart under {which}(14).")
    if not best.certified:
        parts.append("The global minimum is not proved; lower_bound is.")
    if real is not None and best.objective > real.objective:
        parts.append("A whole tau costs more than the real one here.")
    return " ".join(parts)
