"""Quantities and metrics that this paper brings."""

from __future__ import annotations

from fractions import Fraction

from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, Interval
from fedproof.vocabulary.metrics import Metric
from fedproof.vocabulary.quantities import Quantity

_COUNTED = Interval(Fraction(1), lo_open=False)

QUANTITIES = (
    Quantity("cohort_size", "clients that are drawn in a round", "clients", _COUNTED, whole=True),
    Quantity("prox_stepsize", "step size of the proximal step: 1 / prox_weight", "length^2/loss", POSITIVE),
    Quantity("envelope_stepsize", "step size of the Moreau envelope", "length^2/loss", POSITIVE),
    Quantity(
        "initial_envelope_gap", "Moreau envelope at the start minus its least value", "loss", NONNEGATIVE
    ),
    Quantity(
        "effective_draws", "draws of a round, by how much their mean varies less than G^2", "1", POSITIVE
    ),
    Quantity("pace", "step size times smoothness, up to a number", "1", POSITIVE),
    Quantity("dissimilarity_factor", "B of the local gradient dissimilarity", "1", NONNEGATIVE),
    Quantity("dissimilarity_level", "H of the local gradient dissimilarity", "loss/length", NONNEGATIVE),
    Quantity(
        "mean_squared_device_gradient",
        "mean over the clients of the squared norm of the gradient of their risk at one model",
        "loss^2/length^2",
        NONNEGATIVE,
    ),
    Quantity(
        "squared_risk_gradient",
        "squared norm of the gradient of the global risk at one model",
        "loss^2/length^2",
        NONNEGATIVE,
    ),
)

METRICS = (
    Metric(
        "drawn_squared_gradient",
        "expected squared norm of the global gradient at one of the models w_0 to w_{T-1}, drawn uniformly",
        r"\mathbb E\big[\|\nabla\bar R(w_{t^*})\|^2\big]",
        "t* uniform over 0..T-1",
    ),
    Metric(
        "drawn_squared_envelope_gradient",
        "expected squared norm of the gradient of the global Moreau envelope at a server's model drawn "
        "uniformly from w_0 to w_{T-1}",
        r"\mathbb E\big[\|\nabla\bar R_{\rho}(w_{t^*})\|^2\big]",
        "t* uniform over 0..T-1",
    ),
    Metric(
        "drawn_squared_prox_distance",
        "expected squared distance from a server's model, drawn uniformly from w_0 to w_{T-1}, to its "
        "proximal point",
        r"\mathbb E\big[\|w_{t^*}-\bar w_{t^*}\|^2\big]",
        "t* uniform over 0..T-1",
    ),
    Metric(
        "drawn_squared_device_gradient",
        "expected mean over the clients that the next round draws, which is that over all, of the squared "
        "norm of the gradient of their risk at one of the models w_0 to w_{T-1}, drawn uniformly",
        r"\mathbb E\big[\tfrac1I\sum_{\xi\in I_{t^*+1}}\|\nabla R^{(\xi)}(w_{t^*})\|^2\big]",
        "t* uniform over 0..T-1",
    ),
)
