"""Problem (23) in both forms typed a second time, at L = 1, and solved by other routes: an oracle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mpmath as mp
import numpy as np
from scipy.optimize import differential_evolution, minimize


@dataclass(frozen=True)
class Form:
    """The theory as printed or as sharpened.

    Arguments:
        theta: the least theta at (mu, beta, tau, lam).
        factor: Theta at (mu, theta, lam, sigma2).
        least_beta: the beta at which tau is the largest admitted, at (mu, tau, lam), by estimator.
        least: what beta is above.
        short: whether mu is large enough for the centre's step, at (mu, lam).
    """

    theta: Callable[..., Any]
    factor: Callable[..., Any]
    least_beta: dict[str, Callable[..., Any]]
    least: float
    short: Callable[..., Any]

    def value(self, mu: Any, beta: Any, tau: Any, lam: Any, s2: Any, gamma: Any, sqrt: Any = np.sqrt) -> Any:
        """The objective of (23), for any tau."""
        return (1 + gamma * tau) / self.factor(mu, self.theta(mu, beta, tau, lam, sqrt), lam, s2, sqrt)

    def admits(self, mu: Any, beta: Any, tau: Any, lam: Any, s2: Any, estimator: str) -> Any:
        """Whether all conditions hold; negative factors and undefined numbers do not."""
        good = self.factor(mu, self.theta(mu, beta, tau, lam), lam, s2) > 0
        enough = beta >= self.least_beta[estimator](mu, tau, lam)
        return (mu > lam) & (beta > self.least) & enough & self.short(mu, lam) & good

    def search(self, lam: float, s2: float, gamma: float, estimator: str, slack: float = 2.0) -> float:
        """The least value by differential evolution over mu, tau and what beta exceeds its least by."""

        def at(x: Any) -> float:
            mu, tau = lam + np.exp(x[0]), np.exp(x[1])
            beta = self.least_beta[estimator](mu, tau, lam) * np.exp(x[2])
            with np.errstate(all="ignore"):
                inside = self.admits(mu, beta, tau * (1 - 1e-15), lam, s2, estimator)
                return float(np.log(self.value(mu, beta, tau, lam, s2, gamma))) if inside else 50.0

        box = [(np.log(0.3), np.log(3000.0)), (-3.0, 18.0), (0.0, slack)]
        found = differential_evolution(at, box, seed=0, tol=1e-12, popsize=20, maxiter=2000)
        return float(np.exp(found.fun))


def _theta_printed(mu: Any, beta: Any, tau: Any, lam: Any, sqrt: Any = np.sqrt) -> Any:
    """The least theta that the lower bound of (13) allows."""
    return sqrt(3 * (beta**2 + mu**2) / ((mu - lam) * (beta - 3) * tau))


def _factor_printed(mu: Any, theta: Any, lam: Any, s2: Any, sqrt: Any = np.sqrt) -> Any:
    """Theta below (17)."""
    m, s, t2 = mu - lam, 1 + s2, theta**2
    return (1 - theta * sqrt(2 * s) - 2 / m * sqrt((1 + t2) * s) - 2 * mu / m**2 * (1 + t2) * s) / mu


def _of_scale(scale: Any) -> Any:
    """The beta with 5 beta^2 - 4 beta = scale."""
    return (4 + np.sqrt(16 + 20 * scale)) / 10


def _deviation(mu: Any, theta: Any, lam: Any, s2: Any, sqrt: Any = np.sqrt) -> Any:
    """q: what the centre's step lacks of 1, and sqrt(1 + sigma2) times the ball's radius and theta/mt."""
    shortest, longest = 1 / (1 + mu), 1 / (mu - lam)
    return 1 - (shortest + longest) / 2 + sqrt(1 + s2) * ((longest - shortest) / 2 + theta * longest)


def _least_sharp(mu: Any, room: Any, sqrt: Any = np.sqrt) -> Any:
    """With B = beta + mu, B^2 - (1 + mu) B is the room needed."""
    return ((1 + mu) + sqrt((1 + mu) ** 2 + 4 * room)) / 2 - mu


PRINTED = Form(
    _theta_printed,
    _factor_printed,
    {
        "sarah": lambda mu, tau, lam, sqrt=np.sqrt: _of_scale(8 * tau),
        "svrg": lambda mu, tau, lam, sqrt=np.sqrt: _of_scale(
            32 * (tau + 2) * (np.sqrt(tau + 1) + np.sqrt(tau + 2)) ** 2
        ),
    },
    3.0,
    lambda mu, lam: True,
)
SHARPENED = Form(
    lambda mu, beta, tau, lam, sqrt=np.sqrt: sqrt((beta + mu) / ((mu - lam) * tau)),
    lambda mu, theta, lam, s2, sqrt=np.sqrt: (1 - _deviation(mu, theta, lam, s2, sqrt) ** 2) / 2,
    {
        "sarah": lambda mu, tau, lam, sqrt=np.sqrt: _least_sharp(mu, tau, sqrt),
        "svrg": lambda mu, tau, lam, sqrt=np.sqrt: _least_sharp(mu, (tau + 1) * (1 + mu) / (mu - lam), sqrt),
    },
    1.0,
    lambda mu, lam: (1 / (1 + mu) + 1 / (mu - lam)) / 2 <= 1,
)
FORMS = {"printed": PRINTED, "sharpened": SHARPENED}


def solve(lam: float, s2: float, gamma: float, digits: int = 40) -> tuple[float, float, float]:
    """Objective, mu and beta of (23) as printed: dense grid, simplex, then Newton in many digits."""

    def value(mu: Any, beta: Any, *rest: Any, sqrt: Any = np.sqrt) -> Any:
        return PRINTED.value(mu, beta, (5 * beta**2 - 4 * beta) / 8, *rest, sqrt=sqrt)

    mu = lam + np.geomspace(2.0, 4e4, 400)[:, None]
    beta = 3 + np.geomspace(0.05, 1e5, 600)[None]
    grid = value(mu, beta, lam, s2, gamma)
    grid = np.where(grid > 0, grid, np.inf)
    i, j = np.unravel_index(np.argmin(grid), grid.shape)

    def logged(x: Any) -> float:
        with np.errstate(all="ignore"):
            at = value(lam + np.exp(x[0]), 3 + np.exp(x[1]), lam, s2, gamma)
        return float(np.log(at)) if at > 0 else np.inf

    x = np.log([mu[i, 0] - lam, beta[0, j] - 3])
    for _ in range(3):
        x = minimize(logged, x, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-15}).x
    with mp.workdps(digits):

        def plain(m: Any, b: Any) -> Any:
            return value(m, b, mp.mpf(lam), mp.mpf(s2), mp.mpf(gamma), sqrt=mp.sqrt)

        slopes = (lambda m, b: mp.diff(plain, (m, b), (1, 0)), lambda m, b: mp.diff(plain, (m, b), (0, 1)))
        root = mp.findroot(slopes, (lam + np.exp(x[0]), 3 + np.exp(x[1])))
        return float(plain(*root)), float(root[0]), float(root[1])
