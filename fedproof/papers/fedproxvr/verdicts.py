"""What an audit must find of the statements that do not simply hold: it is compared by `make audit`."""

from __future__ import annotations

#: as printed, each with a correction beside it, but where something else is said
VERDICTS = {
    "fedproxvr.remark1.1.svrg": "refuted",
    "fedproxvr.remark1.4.monotone": "refuted",
    "fedproxvr.remark1.5.tau": "refuted",
    "fedproxvr.section3.heterogeneous.theorem1": "refuted",
    # shown between the points of a grid
    "fedproxvr.discussion1.beta.gamma": "open",
    "fedproxvr.discussion1.tau.gamma": "open",
    "fedproxvr.discussion1.mu.gamma": "open",
    "fedproxvr.discussion1.theta.gamma": "open",
    "fedproxvr.discussion1.beta.sigma2": "open",
    "fedproxvr.discussion1.mu.sigma2": "open",
    "fedproxvr.discussion1.theta.sigma2": "open",
    "fedproxvr.discussion1.Theta.sigma2": "open",
}
#: steps on which engines agree and that have no certificate yet
OPEN_STEPS = (
    "fedproxvr.eq59",
    "fedproxvr.eq62.sum",
)
