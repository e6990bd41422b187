"""FedProxVR's tuning problem, (23)-(24): its options, its answer, and enclosures of its minimiser."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fedproof.tuning.admitted import as_run
from fedproof.tuning.as_written import confirmed
from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.errors import InputError, MissingName
from fedproof.vocabulary.letters import constants, read_letters
from fedproof.vocabulary.values import parse_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from fedproof.bounds.letter import Letter
    from fedproof.bounds.statement import Condition, Statement
    from fedproof.papers.fedproxvr.training_time.minimise import Optimum
    from fedproof.papers.fedproxvr.training_time.minimiser_enclosure import Ends


@dataclass(frozen=True)
class Asked:
    """What an id settles: the form and the estimator, or "", and whether a theorem's whole set is meant."""

    form: str = ""
    estimator: str = ""
    theorem: bool = False

    @property
    def over(self) -> str:
        """As `minimise` calls it."""
        return "theorem" if self.theorem else "problem"

    @property
    def chain(self) -> str:
        """The closed chain, which has all that the theorem admits."""
        return f"fedproxvr.certified.{self.estimator}{'' if self.form == 'printed' else '.' + self.form}"


#: What can be asked for -> what its id settles.
TUNES = {
    "fedproxvr": Asked(),
    "fedproxvr.problem23": Asked(),
    "fedproxvr.problem20": Asked(),
    "fedproxvr.problem23.sharpened": Asked("sharpened"),
    "fedproxvr.certified.sarah": Asked("printed", "sarah", theorem=True),
    "fedproxvr.certified.svrg": Asked("printed", "svrg", theorem=True),
    "fedproxvr.certified.sarah.sharpened": Asked("sharpened", "sarah", theorem=True),
    "fedproxvr.certified.svrg.sharpened": Asked("sharpened", "svrg", theorem=True),
}
#: how often a coordinate may be moved, first by a rounding unit, then by twice as many each time
ROUNDING_STEPS = 40
_OPTIONS = ("estimator", "tau", "form")
_READ = constants("1e-300", "1e300", lambda of: False)


def tune(
    id: str, /, *, estimator: str | None = None, tau: str = "real", form: str | None = None, **values: Any
) -> TuneResult:
    """Find the parameters that minimise a paper's own objective, with a proven lower bound.

    Source: FedProxVR, problem (23)-(24), and Lemma 1 with Theorem 1.

    Arguments:
        id: "fedproxvr" or "fedproxvr.problem23"; "fedproxvr.problem20" is the same in four variables;
            "fedproxvr.problem23.sharpened" is the sharpened form; "fedproxvr.certified.sarah" or ".svrg",
            with ".sharpened" or without, is the same objective over all that the theorem admits.
        estimator: "sarah", or "svrg", whose problem the paper does not print: tau is then the largest
            real tau of (14).
        tau: "real", or "integer": what of the same set has a whole tau.
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

    asked = _asked(id, estimator, form)
    problem = statement("fedproxvr.problem23")
    inputs = [x for x in problem.letters if x.symbol not in getattr(problem.claim, "over", ())]
    given = _read(id, inputs, values)
    numbers = {letter.means: given[letter.means] for letter in inputs}

    def least(of: Asked, kind: str) -> Optimum:
        return minimise(**numbers, estimator=of.estimator, tau=kind, form=of.form, over=of.over)  # type: ignore[arg-type]

    best = least(asked, tau)
    real = least(asked, "real") if tau == "integer" else None
    whole = None if asked.theorem else least(replace(asked, theorem=True), tau)
    found = _tuned(id, asked, tau, numbers, best, real, whole)
    known = {letter.name: numbers[letter.means] for letter in inputs}
    return confirmed(found, statement(asked.chain), known, _unmet(asked, known, found.argmin))


def _unmet(asked: Asked, known: Mapping[str, float], argmin: Mapping[str, float] | None) -> list[str]:
    """Labels of the closed chain's conditions that the minimiser's decimals fail."""
    from fedproof.bounds.catalog import statement

    if argmin is None:
        return []
    point = {name: parse_value(value) for name, value in {**known, **argmin}.items()}
    relations = statement(asked.chain).relations
    return [label for label, r in relations.items() if not r.holds({n: point[n] for n in r.names})]


def _asked(id: str, estimator: str | None, form: str | None) -> Asked:
    """What the id and the options say together."""
    settled = TUNES[id]
    for name, value, own in (("form", form, settled.form), ("estimator", estimator, settled.estimator)):
        if own and value not in (None, own):
            raise InputError(name, value, own, f"{id} is {own}")
    return replace(
        settled,
        form=settled.form or form or "printed",
        estimator=settled.estimator or estimator or "sarah",
    )


def enclose(values: Mapping[str, ArrayLike]) -> dict[str, Ends]:
    """Proved lower and upper ends of the minimiser's coordinates, by letter.

    Arguments:
        values: L, lam, sigma2 and gamma > 0 by letter, arrays that broadcast.
    """
    from fedproof.papers.fedproxvr.training_time.minimiser_enclosure import enclose_minimiser

    return enclose_minimiser(values["L"], values["lam"], values["sigma2"], values["gamma"])


def _read(id: str, inputs: list[Letter], values: Mapping[str, Any]) -> dict[str, float]:
    """The values by canonical word, each the double nearest to what was written."""
    found = read_letters(id, {x.name: x.quantity for x in inputs}, values, _OPTIONS, _READ)
    missing = [x.name for x in inputs if x.name not in found]
    if missing:
        raise MissingName(id, missing)
    return {x.means: found[x.name] for x in inputs}


def _tuned(
    id: str,
    asked: Asked,
    tau: str,
    numbers: Mapping[str, float],
    best: Optimum,
    real: Optimum | None,
    whole: Optimum | None,
) -> TuneResult:
    objective, form, estimator = float(best.objective), asked.form, asked.estimator
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
        active=_active(asked, best) if attained else (),
        run=_run(estimator, numbers["smoothness_sample"], argmin) if argmin else None,
        gain=1 - objective / plain if plain is not None and attained else None,
        real=plain,
        note=_note(asked, best, real, whole),
        minimised="(1 + gamma tau)/Theta of (20), what training takes up to a factor",
        over=_set(asked, tau),
    )


def _set(asked: Asked, tau: str) -> str:
    """What is minimised over, with the labels of its conditions."""
    from fedproof.bounds.catalog import statement

    kind = "whole" if tau == "integer" else "real"
    chain = statement(asked.chain)
    if asked.theorem:
        return f"all mu, beta and {kind} tau that {chain.id} admits: {_labels(chain)}"
    if asked.form == "sharpened":
        own = f"{_labels(chain)}, with tau for tau + 1 in the least theta"
        return f"all mu, beta and {kind} tau of problem (23) sharpened: {own}"
    largest = "(16) as an equation" if asked.estimator == "sarah" else "the largest of (14)"
    problem = statement("fedproxvr.problem23")
    return f"mu and beta of problem (23), a {kind} tau that is {largest}: {_labels(problem)}"


def _labels(of: Statement) -> str:
    """The labels of its conditions in one line."""
    return "; ".join(condition.label for condition in of.conditions)


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
    """The minimiser moved by rounding units until the lemma and the closed chain admit its decimals.

    So they do of the step size that is run, whose decimals are not exactly 1/(beta L).
    """
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
            run = _run(estimator, numbers["smoothness_sample"], found)
            if relation.holds(point) and relation.holds(as_run(parts[0], point, run)):
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


def _active(asked: Asked, best: Optimum) -> tuple[str, ...]:
    """Labels of what holds with equality; the sharpened problem leaves room between tau and tau + 1."""
    from fedproof.papers.fedproxvr.statements import printed as statements

    form, estimator = asked.form, asked.estimator
    lower = form == "printed" or asked.theorem
    equal = {"lower": lower, "upper": bool(best.matched), "short": bool(best.short)}
    found = [c for role, c in _bounding(form, estimator).items() if equal[role]]
    if form == "printed" and estimator == "svrg" and best.matched:
        found.append(statements.SVRG_SIDE)
    return tuple(c.label for c in found)


def _note(asked: Asked, best: Optimum, real: Optimum | None, whole: Optimum | None) -> str:
    form, estimator = asked.form, asked.estimator
    if not best.attained:
        return "The infimum is not attained: without computation delay the objective falls as tau grows."
    parts, which = [], "" if form == "printed" else f"{form} "
    if float(best.local_steps) % 1:
        same = form == "sharpened" and not asked.theorem
        parts.append(
            f"run takes tau rounded down, which the {which}Lemma 1 admits with "
            f"{'the same' if same else 'a slightly larger'} theta; tau=integer finds the best whole tau."
        )
    if whole is not None:
        parts.append(_beyond(asked.chain, whole))
    if form == "sharpened":
        parts.append("The sharpened statements are not in the paper.")
    if estimator == "svrg" and not asked.theorem:
        parts.append(f"The paper prints problem (23) for SARAH; this is its counterpart under {which}(14).")
    if not best.certified:
        parts.append("The global minimum is not proved; lower_bound is.")
    if real is not None and best.objective > real.objective:
        parts.append("A whole tau costs more than the real one here.")
    return " ".join(parts)


def _beyond(id: str, whole: Optimum) -> str:
    """The least over all that the theorem admits, which is what `plan` goes by."""
    known = "proved best" if whole.certified else f"proved at least {float(whole.lower_bound):.10g}"
    return f"Over all that {id} admits the least is {float(whole.objective):.10g}, {known}: tune {id}."
