"""FedProx and FedMSPP: the cheapest step size, rounds, devices and minibatch for an accuracy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fedproof.tuning.admitted import MOST as MOST_ROUNDS
from fedproof.tuning.as_written import confirmed, keeps, refuse_unmet
from fedproof.tuning.branch_and_bound import MOST, CostMinimum, CostModel, minimise_cost
from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.errors import InputError, InternalError, MissingName
from fedproof.vocabulary.letters import constants, read_letters
from fedproof.vocabulary.quantities import quantity

if TYPE_CHECKING:
    from fedproof.bounds.statement_handle import ApplicabilityResult
    from fedproof.papers.fedprox.round_progress import RoundProgress

#: What can be asked for -> the statement it is about.
TUNES = {
    "fedprox": "fedprox.theorem1.explicit",
    **{
        id: id
        for id in (
            "fedprox.theorem1.explicit",
            "fedprox.theorem1.general",
            "fedprox.theorem2.explicit",
            "fedprox.theorem2.general",
            "fedprox.theorem3.repaired",
            "fedprox.theorem3.general.repaired",
            "fedprox.theorem4.explicit",
            "fedprox.theorem4.general",
        )
    },
}
#: what a round costs: letter -> quantity and what it is where it is not given
COSTS = {"d_com": ("communication_delay", 1), "d_dev": ("compute_delay", 0), "d_smp": ("sample_delay", 0)}
SAMPLES, MOST_DEVICES, MOST_BATCH = "samples", "I_max", "b_max"
CLOSE = 1e-9
#: the certified gap that stands in a run for the exact local solves of Theorems 2 and 4
EXACTLY = 1e-10
_READ = constants("1e-50", "1e50", lambda of: of.whole, MOST)
_TRIED = 100
"""Numbers of rounds from the least on, one of which keeps the accuracy in decimals."""
#: FedMSPP's theorems -> those of FedProx with which they are compared
_WITHOUT_MINIBATCHES = {
    "fedprox.theorem3.repaired": "fedprox.theorem1.explicit",
    "fedprox.theorem3.general.repaired": "fedprox.theorem1.general",
    "fedprox.theorem4.explicit": "fedprox.theorem2.explicit",
    "fedprox.theorem4.general": "fedprox.theorem2.general",
}


@dataclass(frozen=True)
class Costs:
    """What a round costs, in seconds: d_com + I (d_dev + s d_smp), s what a device works on.

    Arguments:
        round, device, sample: d_com, d_dev, d_smp.
        samples: of a device; None where that is not given.
        most_devices, most_batch: caps on I and b.
    """

    round: float
    device: float
    sample: float
    samples: int | None
    most_devices: int
    most_batch: int

    def model(self, minibatches: bool) -> CostModel:
        """For FedMSPP, whose devices work on b samples, or for FedProx, where they work on all."""
        if minibatches:
            return CostModel(self.round, self.device, self.sample)
        return CostModel(self.round, self.device + (self.samples or 1) * self.sample, 0.0)


def tune(id: str, /, **values: Any) -> TuneResult:
    """Find the cheapest run whose bound is at most an accuracy, with a proved lower bound of its cost.

    Minimises T (d_com + I (d_dev + s d_smp)), in seconds, over whole T and I, and b of FedMSPP, under a
    theorem's conditions and bound <= epsilon; s is b for FedMSPP and `samples` for FedProx. Source: fedprox,
    Theorems 1 and 3 with constants; the cost is ours.

    Arguments:
        id: "fedprox.theorem1.explicit" ("fedprox" for short), "fedprox.theorem2.explicit",
            "fedprox.theorem3.repaired" and "fedprox.theorem4.explicit" have the theorems' own step sizes;
            with "general" eta is free. Theorems 2 and 4 are for losses with kinks.
        values: L, G, Delta and epsilon by letter or word, H2 for Theorem 3; G, nu, rho, Delta_rho and
            epsilon for Theorems 2 and 4; d_com, d_dev and d_smp, seconds
            per round, drawn device and sample (1, 0 and 0 where not given); samples, of every device (1 where
            not given); I_max and b_max, caps.

    Returns: cost, argmin, lower bound, certificate and a ready call of `run`.
    Raises: InputError, MissingName or UnknownName, one line each.

    >>> given = {"L": 1, "G": 1, "Delta": 1, "epsilon": "0.1", "d_dev": "0.01"}
    >>> best = tune("fedprox", **given)
    >>> best.argmin["T"], best.argmin["I"], best.certified
    (967.0, 10.0, True)
    >>> best = tune("fedprox.theorem1.general", **given)
    >>> best.argmin["T"], best.argmin["I"], best.certified
    (447.0, 42.0, True)
    """
    from fedproof.papers.fedprox.round_progress import RoundProgress

    progress = RoundProgress.of(TUNES[id])
    numbers, accuracy, costs = _read(id, progress, values)
    refuse_unmet(progress.statement, numbers)
    found = _minimum(progress, numbers, accuracy, costs)
    argmin, checked = _decimals(progress, numbers, accuracy, found)
    model = costs.model(progress.minibatches)
    cost = argmin["T"] * model.of(int(argmin["I"]), int(argmin.get("b", 1)))
    gap = cost / found.lower_bound - 1 if found.lower_bound > 0 else math.inf
    answer = TuneResult(
        id=id,
        form="free step size" if progress.free else "the theorem's step size",
        objective=cost,
        argmin=argmin,
        lower_bound=found.lower_bound,
        certified=gap <= CLOSE,
        gap=gap,
        active=_active(progress, checked),
        run=_run(argmin),
        gain=None,
        real=None,
        note=_note(progress, numbers, accuracy, costs, cost),
        minimised=f"T (d_com + I (d_dev + {'b' if progress.minibatches else 'samples'} d_smp)), seconds",
        over=f"all whole T, I{' <= I_max' if costs.most_devices < MOST else ''}"
        f"{_batches(progress, costs)}{' and all eta' if progress.free else ''} "
        f"that {progress.id} admits with a bound of at most epsilon",
    )
    priced = dict(zip(COSTS, (costs.round, costs.device, costs.sample), strict=True))
    return confirmed(answer, progress.statement, {**numbers, **priced, "epsilon": accuracy})


def _batches(progress: RoundProgress, costs: Costs) -> str:
    """How b is chosen, where it is."""
    if not progress.minibatches:
        return ""
    return " and b <= b_max" if costs.most_batch < MOST else " and b"


def _minimum(
    progress: RoundProgress, numbers: Mapping[str, float], accuracy: float, costs: Costs
) -> CostMinimum:
    """The search; without minibatches the batch is 1."""
    return minimise_cost(
        progress.round_bound(numbers, accuracy),
        costs.model(progress.minibatches),
        costs.most_batch if progress.minibatches else 1,
        most_steps=costs.most_devices,
    )


def _read(
    id: str, progress: RoundProgress, values: Mapping[str, Any]
) -> tuple[dict[str, float], float, Costs]:
    """Constants by letter, the accuracy, and the costs with their caps."""
    whole = quantity("batch_size")
    known = {x.name: x.quantity for x in progress.given}
    known |= {"epsilon": quantity("accuracy")}
    known |= {name: quantity(word) for name, (word, _) in COSTS.items()}
    known |= {name: replace(whole, name=name) for name in (SAMPLES, MOST_DEVICES, MOST_BATCH)}
    found = read_letters(id, known, values, (), _READ)
    missing = [n for n in (*(x.name for x in progress.given), "epsilon") if n not in found]
    if missing:
        raise MissingName(id, missing)
    com, dev, smp = (found.pop(name, float(usual)) for name, (_, usual) in COSTS.items())
    samples, devices, batch = (found.pop(name, None) for name in (SAMPLES, MOST_DEVICES, MOST_BATCH))
    size = None if samples is None else int(samples)
    costs = Costs(com, dev, smp, size, int(devices or MOST), int(batch or MOST))
    return found, found.pop("epsilon"), costs


def _decimals(
    progress: RoundProgress, numbers: Mapping[str, float], accuracy: float, found: CostMinimum
) -> tuple[dict[str, float], ApplicabilityResult]:
    """Numbers that the theorem admits with a bound that keeps the accuracy, decided by the statement."""
    if not found.rounds <= MOST_ROUNDS:
        raise InputError(
            "epsilon", accuracy, f"one that at most {MOST_ROUNDS:g} rounds reach", "ask for more"
        )
    for rounds in range(int(found.rounds), int(found.rounds) + _TRIED):
        argmin = progress.point(numbers, accuracy, rounds, found.local_steps, found.batch_size)
        checked = progress.check(numbers, argmin)
        if not checked.applicable:
            failing = [c.label for c, decided in checked.conditions if not decided.holds]
            raise InputError(progress.id, f"constants that fail {', '.join(failing)}",
                             "constants that the theorem admits", "see `fedproof show`")  # fmt: skip
        if keeps(progress.statement.formulas["bound"], {**numbers, **argmin}, accuracy):
            return argmin, checked
    raise InternalError(f"{progress.id} does not keep {accuracy} with {found.rounds:g} rounds")


def _active(progress: RoundProgress, checked: ApplicabilityResult) -> tuple[str, ...]:
    """Labels of the conditions on eta that hold with equality, up to rounding."""
    return tuple(c.label for c, decided in checked.conditions if progress.binds(c, decided.margin))


def _run(argmin: Mapping[str, float]) -> dict[str, Any]:
    """A call of `run`; devices are drawn with replacement and averaged plainly, as in the theorems."""
    from fedproof.solvers.cohort import Participation

    batch = {"batch_size": int(argmin["b"])} if "b" in argmin else {}
    solver: dict[str, Any] = {"local_solver": "to_duality_gap", "suboptimality": EXACTLY}
    if "eps" in argmin:
        solver = {"local_solver": "to_suboptimality", "suboptimality": argmin["eps"]}
    return {
        "algorithm": "fedmspp" if batch else "fedprox", "prox_weight": 1 / argmin["eta"], **batch,
        **solver, "rounds": int(argmin["T"]),
        "participation": Participation(int(argmin["I"]), replacement=True, average="plain"),
    }  # fmt: skip


def _note(
    progress: RoundProgress, numbers: Mapping[str, float], accuracy: float, costs: Costs, cost: float
) -> str:
    """What FedProx costs for the same accuracy, and what the numbers rest on."""
    from fedproof.papers.fedprox.round_progress import RoundProgress

    said = ["The cost is ours."]
    if not progress.inexact:
        said.append(f"The theorem takes exact local solves; the run's are within {EXACTLY:g} of them.")
    if not progress.minibatches and costs.samples is None and costs.sample:
        said.append("samples= says how many a device has; here 1.")
    if progress.minibatches and costs.samples is not None:
        other = RoundProgress.of(_WITHOUT_MINIBATCHES[progress.id])
        found = _minimum(other, {x.name: numbers[x.name] for x in other.given}, accuracy, costs)
        word = "dearer" if cost < found.lower_bound else "cheaper" if found.cost < cost else "not told apart"
        said.append(
            f"FedProx with {costs.samples} samples a device is {word} under {other.id}: {found.cost:.6g}, "
            f"proved at least {found.lower_bound:.6g}."
        )
    return " ".join(said)
