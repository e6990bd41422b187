"""Composite federated learning: the cheapest rounds, local steps, batch and step sizes for an accuracy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fedproof.tuning.as_written import confirmed, refuse_unmet
from fedproof.tuning.branch_and_bound import CostMinimum, CostModel, minimise_cost
from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.errors import InputError, MissingName, UnknownName
from fedproof.vocabulary.letters import constants, exact_value, read_letters
from fedproof.vocabulary.quantities import quantity

if TYPE_CHECKING:
    from fedproof.bounds.statement import Statement
    from fedproof.papers.composite.compiled_bound import CompiledBound, RunParameters

#: What can be asked for -> the statement it is about.
TUNES = {
    "composite": "composite.theorem3.5",
    **{
        id: id
        for id in (
            "composite.theorem3.5",
            "composite.theorem3.5.sharpened",
            "composite.theorem3.6",
            "composite.theorem3.6.repaired",
            "composite.theorem3.6.sharpened",
            "composite.theorem3.8",
            "composite.theorem3.8.sharpened",
        )
    },
}
FORMS = ("printed", "sharpened")
#: what a round costs: letter -> quantity and what it is where it is not given
COSTS = {"d_com": ("communication_delay", 1), "d_cmp": ("compute_delay", 0), "d_smp": ("sample_delay", 0)}
UNUSED = {"B_g": "subgradient_bound"}
"""Letters that the printed theorems take and the sharpened ones do not."""
CAP = "b_max"
DIGITS = 6
"""Significant digits of eta_g where the bound leaves it free."""
#: how often more rounds are tried until decimals keep the accuracy, first one more, then twice as many more
_ATTEMPTS, _ONE_BY_ONE = 64, 20
_READ = constants("1e-100", "1e100", lambda of: of.name in (CAP, "clients"))


def tune(id: str, /, *, form: str | None = None, **values: Any) -> TuneResult:
    """Find the cheapest run whose bound is at most an accuracy, with a proved lower bound of its cost.

    Minimises R (d_com + tau (d_cmp + b d_smp)), in seconds, over whole R, tau and b and over eta and eta_g,
    under a theorem's conditions and bound <= eps. Source: composite, Theorems 3.5, 3.6 and 3.8; the cost is
    ours.

    Arguments:
        id: a theorem; "composite" is Theorem 3.5.
        form: "printed" or "sharpened", for the bare key.
        values: the theorem's constants (L, n, sigma2, Omega1, B_g, mu ...) and `eps`, what its bound shall be
            at most, by letter or word; d_com, d_cmp and d_smp, seconds per round, local step and sample (1, 0
            and 0 where not given); b_max, a cap on the batch size.

    Returns: cost, argmin, lower bound, certificate and a ready call of `run`.
    Raises: InputError, MissingName or UnknownName, one line each.

    >>> best = tune("composite", L=1, n=30, sigma2=1, B_g=1, Omega1=1, eps="0.1", d_smp="0.001")
    >>> best.argmin["R"], best.argmin["tau"], best.argmin["b"], best.certified
    (361.0, 1.0, 87.0, False)
    """
    from fedproof.papers.composite.compiled_bound import CompiledBound

    bound = CompiledBound(_statement(id, form))
    numbers, accuracy, costs, cap = _read(id, bound, values)
    refuse_unmet(bound.statement, numbers)
    found = minimise_cost(bound.round_bound(numbers, accuracy), costs, cap)
    if math.isinf(found.cost):
        raise InputError("eps", accuracy, "an accuracy that at most 1e12 samples a client and round reach",
                         "ask for a larger eps")  # fmt: skip
    run = _run(bound, numbers, accuracy, found)
    cost = run.R * costs.of(run.tau, run.b)
    gap = cost / found.lower_bound - 1 if found.lower_bound > 0 else math.inf
    failing = [label for label, held in bound.holds(numbers, run).items() if not held]
    answer = TuneResult(
        id=id,
        form="sharpened" if bound.statement.id.endswith(".sharpened") else "printed",
        objective=cost,
        argmin={name: float(getattr(run, name)) for name in ("eta", "eta_g", "tau", "b", "R")},
        lower_bound=found.lower_bound,
        certified=gap <= 1e-9,
        gap=gap,
        active=_active(bound, numbers, run),
        run={
            "algorithm": "fedcomposite", "stepsize": run.eta, "local_steps": run.tau,
            "server_stepsize": run.eta_g, "batch_size": run.b, "rounds": run.R,
        },
        gain=None,
        real=None,
        note=_note(gap, cap),
        minimised="R (d_com + tau (d_cmp + b d_smp)), seconds",
        over=f"all eta, eta_g and whole R, tau and b{'' if cap is None else f' <= {cap}'} that "
        f"{bound.statement.id} admits with a bound of at most eps",
    )  # fmt: skip
    priced = dict(zip(COSTS, (costs.per_round, costs.per_step, costs.per_sample), strict=True))
    return confirmed(answer, bound.statement, {**numbers, **priced, "eps": accuracy}, failing)


def _statement(id: str, form: str | None) -> Statement:
    from fedproof.bounds.catalog import statement

    if form is not None and form not in FORMS:
        raise UnknownName("form", str(form), FORMS)
    known = TUNES[id]
    tuned_form = "sharpened" if known.endswith(".sharpened") else "printed"
    if id == "composite" and form == "sharpened":
        known = f"{known}.sharpened"
    elif form not in (None, tuned_form):
        raise InputError("form", form, tuned_form, f"{id} is {tuned_form}")
    return statement(known)


def _read(
    id: str, bound: CompiledBound, values: Mapping[str, Any]
) -> tuple[dict[str, float], float, CostModel, int | None]:
    """Constants by letter, the accuracy, the costs and the cap."""
    known = {x.name: x.quantity for x in bound.statement.letters if x.name in bound.given}
    known |= {name: quantity(word) for name, (word, _) in COSTS.items()}
    known |= {"d_com": replace(quantity("compute_delay"), name="communication_delay")}
    known |= {"eps": quantity("accuracy"), CAP: replace(quantity("batch_size"), name=CAP)}
    for given_name in {*UNUSED, *UNUSED.values()} & {*values} if "B_g" not in known else ():
        exact_value(values[given_name], quantity("subgradient_bound"), given_name)
        values = {n: v for n, v in values.items() if n != given_name}
    found = read_letters(id, known, values, ["form"], _READ)
    missing = [n for n in (*bound.given, "eps") if n not in found]
    if missing:
        raise MissingName(id, missing)
    costs = CostModel(*(found.pop(name, float(usual)) for name, (_, usual) in COSTS.items()))
    cap = found.pop(CAP, None)
    return found, found.pop("eps"), costs, None if cap is None else int(cap)


def _run(
    bound: CompiledBound, numbers: Mapping[str, float], accuracy: float, minimum: CostMinimum
) -> RunParameters:
    """Decimals for the step sizes that the theorem admits, with a bound that keeps the accuracy.

    Raises: InputError where the rounding of doubles hides what more rounds change.
    """
    from fedproof.papers.composite.compiled_bound import RunParameters

    rounds = int(minimum.rounds)
    for attempt in range(_ATTEMPTS):
        server = _server(bound, numbers, accuracy, replace(minimum, rounds=rounds))
        if server is not None:
            eta = minimum.step / (server * minimum.local_steps)
            run = RunParameters(eta, server, minimum.local_steps, minimum.batch_size, rounds)
            while not bound.fits(numbers, run):
                run = replace(run, eta=math.nextafter(run.eta, 0))
            if bound.keeps(numbers, run, accuracy):
                return run
        rounds += 1 if attempt < _ONE_BY_ONE else 2 ** (attempt - _ONE_BY_ONE)
    raise InputError(bound.statement.id, f"{minimum.rounds:.3g} rounds, more than doubles can count",
                     "constants of less extreme ratios", "ask for a larger eps")  # fmt: skip


def _server(
    bound: CompiledBound, numbers: Mapping[str, float], accuracy: float, minimum: CostMinimum
) -> float | None:
    """The least eta_g, rounded up, that keeps the accuracy in these rounds; None if none does."""
    least = bound.limit("eta_g", numbers)
    samples = minimum.local_steps * minimum.batch_size

    def reaches(server: float) -> bool:
        return bound.value(numbers, minimum.step, server, samples, minimum.rounds) <= accuracy

    if bound.server_is_fixed:
        return least
    if not reaches(math.inf):
        return None
    high = least
    while not reaches(high):
        high *= 2
    low = max(least, high / 2)
    while not reaches(low) and high - low > 1e-9 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return _rounded_up(low if reaches(low) else high)


def _rounded_up(value: float) -> float:
    """The nearest number of DIGITS significant digits that is not below.

    >>> _rounded_up(1.93649167), _rounded_up(1.5)
    (1.9365, 1.5)
    """
    places = DIGITS - 1 - math.floor(math.log10(value))
    scale = 10.0**places
    return math.ceil(value * scale * (1 - 1e-15)) / scale


def _active(bound: CompiledBound, numbers: Mapping[str, float], run: RunParameters) -> tuple[str, ...]:
    """Labels of the conditions that hold with equality, up to the rounding of the decimals."""
    step = run.eta * run.eta_g * run.tau
    sides = {"eta_t": step, "eta_g": run.eta_g}
    found = []
    for condition in bound.statement.conditions:
        symbol = str(getattr(condition.relation, "lhs", ""))
        if symbol in sides and abs(sides[symbol] / bound.limit(symbol, numbers) - 1) < 10.0 ** (1 - DIGITS):
            found.append(condition.label)
    return tuple(found)


def _note(gap: float, cap: int | None) -> str:
    parts = []
    if cap is None:
        parts.append(
            "The bound knows tau and b by their product alone, so that one local step on a larger batch is "
            "never dearer; b_max= caps the batch."
        )
    parts.append("The initial potential is held fixed, though part of it moves with the step sizes.")
    if gap > 1e-9:
        parts.append("The least cost is not proved; lower_bound is.")
    return " ".join(parts)
