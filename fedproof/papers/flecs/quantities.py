"""Quantities and metrics that this paper brings."""

from __future__ import annotations

from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE
from fedproof.vocabulary.metrics import Metric
from fedproof.vocabulary.quantities import Quantity

QUANTITIES = (
    Quantity(
        "inverse_hessian_floor",
        "least eigenvalue of the truncated inverse Hessians",
        "length^2/loss",
        POSITIVE,
    ),
    Quantity(
        "inverse_hessian_ceiling",
        "largest eigenvalue of the truncated inverse Hessians",
        "length^2/loss",
        POSITIVE,
    ),
    Quantity(
        "compression_variance",
        "E|Q(x) - x|^2 over |x|^2 of an unbiased compressor, at most",
        "1",
        NONNEGATIVE,
    ),
    Quantity("server_step", "factor of the server's search direction", "1", POSITIVE),
    Quantity("shift_stepsize", "step size of the clients' gradient shifts", "1", POSITIVE),
    Quantity("lyapunov_weight", "weight of the shifts' errors in the Lyapunov function", "1", POSITIVE),
    Quantity("initial_lyapunov", "Lyapunov function at the start", "loss", NONNEGATIVE),
    Quantity(
        "initial_nonconvex_lyapunov",
        "objective gap at the start plus c L alpha^2/2 times the mean squared error of the shifts",
        "loss",
        NONNEGATIVE,
    ),
)

METRICS = (
    Metric(
        "lyapunov",
        "expected objective gap plus c L mu2^2 alpha^2 times the mean squared error of the shifts",
        r"\mathbb E[\Psi_K]",
        "after K rounds",
    ),
    Metric(
        "squared_gradient_of_drawn_model",
        "expected squared norm of the objective's gradient at one of the models w_0 to w_{K-1}, drawn "
        "uniformly",
        r"\mathbb E\big[\|\nabla F(\bar w)\|^2\big]",
        "uniform over 0..K-1",
    ),
)
