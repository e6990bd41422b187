"""Local steps beyond 2/L, of which a user is told before a run begins."""

from __future__ import annotations

from typing import Any

from fedproof.problems.problem import Problem


def long_step(algorithm: Any, problem: Problem) -> str:
    """One line where an algorithm's gradient steps are longer than 2/L of its problem; "" where they are not.

    A gradient step of more than 2/L moves away from the minimum of a quadratic that bends as much as L says.
    L is the problem's own, exact or a proved bound; steps that an inverse Hessian scales have no such limit.

    Arguments:
        algorithm: with a field `stepsize`, or a part that has one.
        problem: with a constant `smoothness` or `smoothness_sample`.

    >>> from fedproof.problems.catalog import as_problem
    >>> from fedproof.solvers.algorithms.fedavg import FedAvg
    >>> long_step(FedAvg(stepsize=3), as_problem("quadratic", 2, 0, None))
    'stepsize 3 is beyond 2/L = 2.14 (L = 0.9344): longer steps need not lower the loss and may diverge'
    """
    owners = (algorithm, *(getattr(algorithm, kind, None) for kind in getattr(algorithm, "parts", {})))
    steps = [float(found) for owner in owners if (found := _step(owner)) is not None]
    known = [problem.constants.get(word) for word in ("smoothness", "smoothness_sample")]
    bend = next((float(c.value) for c in known if c is not None and c.value), None)
    if not steps or bend is None or max(steps) <= 2 / bend:
        return ""
    return (
        f"stepsize {max(steps):.4g} is beyond 2/L = {2 / bend:.4g} (L = {bend:.4g}): "
        "longer steps need not lower the loss and may diverge"
    )


def _step(owner: Any) -> Any:
    return None if getattr(owner, "scales_steps", False) else getattr(owner, "stepsize", None)
