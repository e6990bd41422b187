"""What a plan prints, of a result that is made by hand."""

from __future__ import annotations

import fedproof as fp
from fedproof.measure.measure_result import MeasureResult
from fedproof.planning.plan_result import Pilot, Plan, PlanResult


def test_what_is_recommended_is_said_in_words() -> None:
    """Who takes part stands as people say it, a batch of everything is all, and a step has all its digits."""
    run = {
        "eta": 0.1,
        "eta_g": 2 / 3,
        "batch_size": None,
        "participation": fp.Participation(3, average="plain"),
    }
    best = Plan("fedcomposite", "composite.theorem3.5", "squared_prox_gradient", applicable=True, run=run)
    pilot = Pilot("a run", "fedavg", {}, 1, (1.0, 0.5), 0.1, None, 1.0)
    found = PlanResult(MeasureResult({}, {}), {"uplink": 1e6}, 0.1, (), best, pilot, ())
    (said,) = (t.rows for t in found.tables() if t.title == "Recommended: fedcomposite")

    assert said == (
        ("eta", "0.1"), ("eta_g", "0.6666666666666666"), ("batch_size", "all"),
        ("participation", "3 clients drawn, plain mean"),
    )  # fmt: skip
