"""Sparse logistic regression of Sec. 4.1: what Figs. 2 and 3 take and record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.figures.parameters import Parameter, real, whole
from fedproof.figures.spec import Axis, Column
from fedproof.solvers.runs.problem_spec import ProblemSpec, make_problem_spec

OPTIMALITY = "squared_prox_gradient"
COLUMNS = (
    Column("method", "ours, another method, or ours with one change"),
    Column("tau", "local steps", "steps"),
    Column("L", "smoothness of every f_i, reached by multiplying all features by one number"),
    Column("seed", "of data and run"),
    Column("stepsize", "eta; 1/gamma of Fast-FedDA", "length^2/loss"),
    Column("server_stepsize", "eta_g; 1 where the method has none"),
    Column("round", "global rounds finished", "rounds"),
    Column("optimality", "|G| at the server's model over |G| at the start, G with the method's own step"),
)
AXES = {"round": Axis("round"), "optimality": Axis("optimality", "log")}


def data_parameters(samples: int, penalty_weight: float) -> tuple[Parameter, ...]:
    """The parameters of the data of Sec. 4.1, apart from their scaling."""
    return (
        whole("clients", 30),
        whole("dimension", 20, "features of a row"),
        whole("samples", samples),
        real("heterogeneity", 50.0, "spread of the clients' models and data, α = β"),
        real("penalty_weight", penalty_weight),
    )


def step_parameters(eta: float, eta_g: float) -> tuple[Parameter, ...]:
    """The two steps of the algorithm."""
    return (
        real("eta", eta, "step size of the local updates", zero=False),
        real("eta_g", eta_g, "server step size", zero=False),
    )


def problem_spec(size: Mapping[str, Any], seed: int, smoothness: float) -> ProblemSpec:
    """The data of Sec. 4.1 with this seed, their features scaled to this L."""
    options = {
        "alpha": size["heterogeneity"], "beta": size["heterogeneity"], "dimension": size["dimension"],
        "samples": size["samples"], "penalty_weight": size["penalty_weight"], "smoothness": smoothness,
    }  # fmt: skip
    return make_problem_spec("sparse_logistic", size["clients"], seed, options)
