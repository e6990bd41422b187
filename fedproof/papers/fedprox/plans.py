"""FedProx and FedMSPP in a plan: Theorem 1, Remark 2 and Theorem 3 repaired, with a free step size."""

from __future__ import annotations

from collections.abc import Mapping

from fedproof.tuning.admitted import admitted
from fedproof.tuning.guarantee import Costs, Guarantee, Setting

#: the mean over w_0 to w_{T-1}
_SPAN = slice(None, -1)
_OF = "squared gradient, w_0 to w_{T-1}"
_NEEDS = ("smoothness_sample", "lipschitz_sample", "initial_gap")
_BATCH = 10


def _solved(id: str, *, minibatches: bool = False, everyone: bool = False) -> Guarantee:
    """With as many devices drawn as there are, or with every one."""

    def solve(numbers: Mapping[str, float], accuracy: float, costs: Costs) -> Setting:
        from fedproof.papers.fedprox.round_progress import RoundProgress
        from fedproof.solvers.cohort import Participation

        progress, devices = RoundProgress.of(id), costs.clients
        batch = min(_BATCH, costs.samples)
        known = dict(zip(("L", "G", "Delta"), (numbers[word] for word in _NEEDS), strict=True))
        known |= {"H2": known["G"] ** 2} if minibatches else {}
        needed = progress.rounds(known, accuracy, devices, batch)
        letters = known | progress.point(known, accuracy, 1, devices, batch)
        del letters["T"]
        drawn = Participation(devices, replacement=True, average="plain")
        run = {
            "prox_weight": 1 / letters["eta"], "local_solver": "to_suboptimality",
            "suboptimality": letters["eps"], **({"batch_size": batch} if minibatches else {}),
            "participation": Participation(average="plain") if everyone else drawn,
        }  # fmt: skip
        return Setting(letters, run, admitted(id, letters, "T", needed, accuracy))

    note = "H^2 is taken to be G^2, which it never exceeds." if minibatches else ""
    algorithm = "fedmspp" if minibatches else "fedprox"
    metric = ("T", "squared_gradient", _SPAN, _OF)
    return Guarantee(id, algorithm, _NEEDS, solve, *metric, equal=True, note=note)


GUARANTEES = (
    _solved("fedprox.remark2.general", everyone=True),
    _solved("fedprox.theorem1.general"),
    _solved("fedprox.theorem3.general.repaired", minibatches=True),
)
