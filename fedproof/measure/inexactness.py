"""theta of FedProxVR (11): how exactly the algorithm's own local solves solve their problems."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedproof.measure.counting_problem import CountingProblem
from fedproof.measure.measured_constant import MeasuredConstant
from fedproof.measure.search_options import SearchOptions
from fedproof.problems.data.origin import client_names
from fedproof.problems.problem import Array
from fedproof.solvers.algorithm import ModelState
from fedproof.solvers.exact import surrogate_gradients
from fedproof.solvers.randomness import RandomSource

_POINTS = 4
_NORMAL = 1.959964


def measure_inexactness(problem: CountingProblem, setting: SearchOptions) -> MeasuredConstant:
    """inexactness: the largest root mean square of |grad J_n(w_n)| / |grad F_n(w_s)| over clients and points.

    Its square is what the mean over draws of the squared ratio is; (11) itself bounds the mean, which is
    at most the root mean square (Jensen), so that (11) holds with the value given. Where a ratio is infinite
    (11) holds with no theta: the client was stationary and moved, or its local steps diverged.
    """
    points = setting.spread_out(_POINTS)
    squares = np.stack([local_ratios(problem, setting, model, i) for i, model in enumerate(points)])
    usable = np.isfinite(squares).all(axis=1)
    if not usable.all():
        return _none(client_names(problem.inner), setting, points, squares, usable)
    means = squares.mean(axis=1)
    point, client = np.unravel_index(int(means.argmax()), means.shape)
    drawn = squares[point, :, client]
    value = float(np.sqrt(drawn.mean()))
    half = _NORMAL * float(drawn.std(ddof=1)) / len(drawn) ** 0.5 if len(drawn) > 1 else 0.0
    low, high = (float(np.sqrt(max(0.0, drawn.mean() + s * half))) for s in (-1, 1))
    name = client_names(problem.inner)[int(client)]
    details: dict[str, Any] = {
        "mean": float(np.sqrt(drawn).mean()),
        "interval": [low, high],
        "median_over_clients": float(np.median(np.sqrt(means))),
        "client": int(client),
        "client_name": name,
        "round": _round(setting, points[point]),
        "settings": dict(setting.noted),
    }
    how = (
        f"{setting.algorithm.name}'s local solve: root mean square over {setting.seeds} seeds, largest of "
        f"{problem.n_clients} clients at {len(points)} models; 95% normal interval of that one {low:.3g} to "
        f"{high:.3g}, not widened for its selection as the largest"
    )
    return MeasuredConstant(value, "estimate", how, high - low, details=details)


def _none(
    names: tuple[str, ...], setting: SearchOptions, points: Array, squares: Array, usable: Array
) -> MeasuredConstant:
    """No theta: which client's ratio is infinite, where, and the largest of the others."""
    point, client = np.argwhere(~usable)[0]
    how = (
        f"none is finite: after {setting.algorithm.name}'s local solve client {names[client]} is not "
        f"stationary though it was at the model of round {_round(setting, points[point])}, or its local "
        f"steps diverge"
    )
    many = len(np.unique(np.argwhere(~usable)[:, 1]))
    how += f"; so for {many} of {usable.shape[1]} clients at {len(points)} models"
    details: dict[str, Any] = {"clients": many, "settings": dict(setting.noted)}
    if usable.any():
        rest = float(np.sqrt(squares.mean(axis=1)[usable].max()))
        details["largest_of_the_others"] = rest
        how += f"; of the others the largest root mean square is {rest:.3g}"
    return MeasuredConstant(None, "estimate", how, details=details)


def _round(setting: SearchOptions, model: Array) -> int:
    return setting.rounds_at[int(np.flatnonzero((setting.models == model).all(axis=1))[0])]


def local_ratios(problem: CountingProblem, setting: SearchOptions, model: Array, point: int) -> Array:
    """|grad J_n(w_n)|^2 / |grad F_n(w_s)|^2 for every seed and client, shape (seeds, n_clients).

    0 where a client is stationary at the start and stays; infinite where it leaves or a model is not finite.
    """
    clients = np.arange(problem.n_clients)
    algorithm = setting.algorithm
    begun = np.square(problem.at_one(model)[0]).sum(axis=1)
    found = np.empty((setting.seeds, len(clients)))
    with np.errstate(all="ignore"):
        for repetition in range(setting.seeds):
            source = RandomSource(setting.seed, 1 + point * setting.seeds + repetition)
            draws = algorithm.draw(problem, clients, source)
            local = algorithm.local(problem, ModelState(model), clients, draws)
            mu = getattr(algorithm, "prox_weight", 0)
            ended = surrogate_gradients(problem, local.models, clients, model, mu)
            squares = np.square(ended).sum(axis=1)
            ratio = np.where(begun > 0, squares / begun, np.where(squares > 0, np.inf, 0.0))
            found[repetition] = np.where(np.isfinite(ratio), ratio, np.inf)
    return found
