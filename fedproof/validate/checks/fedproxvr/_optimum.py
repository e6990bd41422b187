"""The closed chain's parameters of least training time, on a lattice: for any form of the theory."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from fedproof.bounds import catalog
from fedproof.bounds.expressions import compile_numpy, names_in
from fedproof.bounds.papers.fedproxvr.formulas import OBJECTIVE
from fedproof.problems.problem import Array

__all__ = ["best_setting"]

FREE = ("mu", "beta", "tau")
POINTS = 36


@cache
def _compiled(id: str) -> tuple[tuple[str, ...], Any, tuple[Any, ...]]:
    """Letters, the objective of (20), and for every condition right minus left, of the smaller side first."""
    st = catalog.statement(id)
    objective, relations = st.expand(OBJECTIVE), [c.relation for c in st.admissible]
    names = tuple(sorted(names_in(objective).union(*(names_in(r) for r in relations))))
    gaps = tuple(compile_numpy(r.gts - r.lts, names) for r in relations)
    return names, compile_numpy(objective, names), gaps


def best_setting(id: str, known: Mapping[str, Any], gamma: Any) -> dict[str, float] | None:
    """mu, beta and tau of least training time (20) among a lattice's points that a closed chain admits.

    A lattice proves nothing and needs no convexity: what checks want is a setting near the optimum.

    Arguments:
        id: `<key>.certified.*`.
        known: L, lam and sigma2.
        gamma: delay ratio.

    Returns: None where no point is admissible.

    >>> best = best_setting("fedproxvr.certified.sarah.sharpened", {"L": 1, "lam": 0.5, "sigma2": 0}, 0.001)
    >>> 2 < best["mu"] < 3 and 10 < best["beta"] < 20
    True
    """
    names, objective, gaps = _compiled(id)
    lam, smooth = float(known["lam"]), float(known["L"])
    axes = (
        lam + smooth * np.geomspace(0.5, 2000, POINTS),
        1 + np.geomspace(0.02, 200, POINTS),
        np.geomspace(1, 20_000, POINTS),
    )
    grids: dict[str, Array] = dict(zip(FREE, np.meshgrid(*axes, indexing="ij", sparse=True), strict=True))
    values = {name: float(known[name]) for name in known} | {"gamma": float(gamma)} | grids
    given = [values[name] for name in names]
    admitted = np.all([np.broadcast_to(gap(*given) >= 0, (POINTS,) * 3) for gap in gaps], axis=0)
    times = np.where(admitted, objective(*given), np.inf)
    place = np.unravel_index(times.argmin(), times.shape)
    if not np.isfinite(times[place]):
        return None
    return {name: float(axis[i]) for name, axis, i in zip(FREE, axes, place, strict=True)}
