"""Quantities and metrics that this paper brings."""

from __future__ import annotations

from fractions import Fraction

from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, REAL, Interval
from fedproof.vocabulary.metrics import Metric
from fedproof.vocabulary.quantities import Quantity

SQUARE = "loss^2/length^2"
COUNTED = Interval(Fraction(1), lo_open=False)

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
        "relative variance of an unbiased compressor, a bound on E|Q(x) - x|^2 over |x|^2",
        "1",
        NONNEGATIVE,
    ),
    Quantity("truncation_floor", "size to which smaller eigenvalues are raised", "loss/length^2", POSITIVE),
    Quantity("truncation_ceiling", "size to which larger eigenvalues are lowered", "loss/length^2", POSITIVE),
    Quantity("hessian_eigenvalue", "eigenvalue of a Hessian approximation", "loss/length^2", REAL),
    Quantity(
        "outside_step", "FedSONIA's factor of the gradient outside the sketch", "length^2/loss", POSITIVE
    ),
    Quantity("bits_per_value", "bits of a value after compression", "bits", COUNTED),
    Quantity("message_bits", "bits that a client sends in a round", "bits", POSITIVE),
    Quantity("broadcast_bits", "bits that the server sends to a client in a round", "bits", POSITIVE),
    Quantity("operations", "multiplications of a step", "1", POSITIVE),
    Quantity(
        "shift_error", "expected squared distance of a client's shift from its target", SQUARE, NONNEGATIVE
    ),
    Quantity(
        "sample_error",
        "expected squared distance of a client's sample gradient from its target",
        SQUARE,
        NONNEGATIVE,
    ),
    Quantity("sent_square", "expected square of what a client compresses", SQUARE, NONNEGATIVE),
    Quantity(
        "gradient_error",
        "expected squared distance of a client's gradient from its target",
        SQUARE,
        NONNEGATIVE,
    ),
    Quantity("client_variance", "variance of a client's sample gradients", SQUARE, NONNEGATIVE),
    Quantity("mean_shift_error", "mean of shift_error over the clients", SQUARE, NONNEGATIVE),
    Quantity("mean_gradient_error", "mean of gradient_error over the clients", SQUARE, NONNEGATIVE),
    Quantity("memory_size", "number of columns of the sketch", "1", COUNTED, whole=True),
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
        "next_shift_error",
        "expected squared distance of a client's shift after a round from its gradient at the solution",
        r"\mathbb E\|h_{k+1}^i-h_*^i\|^2",
        "any round, any client",
    ),
    Metric(
        "search_direction_gap",
        "expected squared distance of the search direction from -A_k times the server's gradient",
        r"\mathbb E\|p_k+A_k\tilde g_k\|^2",
        "any round",
    ),
    Metric(
        "mean_shift_gap",
        "expected squared distance of a shift's mean over the compressor, after a round, from (1 - gamma) "
        "times what it was and gamma times the sample gradient",
        r"\mathbb E\|\mathbb E_Q[h_{k+1}^i]-(1-\gamma)h_k^i-\gamma g_k^i\|^2",
        "any round, any client",
    ),
    Metric(
        "server_gradient_square",
        "expected squared norm of the server's gradient",
        r"\mathbb E\|\tilde g_k\|^2",
        "any round",
    ),
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
