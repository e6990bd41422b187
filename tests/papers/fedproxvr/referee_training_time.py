"""Problem (23) typed a second time and solved by another route: the oracle of these tests."""

from __future__ import annotations

import mpmath as mp
import numpy as np
from scipy.optimize import minimize


def theta2(mu, beta, tau, lam, L=1.0):
    """The square of the least theta that the lower bound of (13) allows."""
    return 3 * (beta**2 * L**2 + mu**2) / ((mu - lam) * L * (beta - 3) * tau)


def theta_big(mu, t2, lam, s2, L=1.0, sqrt=np.sqrt):
    """Theta below (17)."""
    m, s = mu - lam, 1 + s2
    return (1 - sqrt(2 * s * t2) - 2 * L / m * sqrt((1 + t2) * s) - 2 * L * mu / m**2 * (1 + t2) * s) / mu


def svrg_tau(beta, sqrt=np.sqrt):
    """The largest tau of (14), by bisection on its defining inequality."""
    low, high = 0.0, beta**2
    for _ in range(200):
        mid = (low + high) / 2
        a = 4 * (sqrt(mid + 1) + sqrt(mid + 2)) ** 2
        low, high = (mid, high) if mid <= (5 * beta**2 - 4 * beta) / (8 * a) - 2 else (low, mid)
    return low


def value(mu, beta, lam, s2, gamma, tau=None, sqrt=np.sqrt):
    """The objective of (23) at L = 1, or with its tau replaced."""
    tau = (5 * beta**2 - 4 * beta) / 8 if tau is None else tau
    return (1 + gamma * tau) / theta_big(mu, theta2(mu, beta, tau, lam), lam, s2, sqrt=sqrt)


def solve(lam, s2, gamma, digits=40):
    """Objective, mu and beta of (23) at L = 1: dense grid, simplex, then Newton in many digits."""
    mu = lam + np.geomspace(2.0, 4e4, 400)[:, None]
    beta = 3 + np.geomspace(0.05, 1e5, 600)[None]
    grid = value(mu, beta, lam, s2, gamma)
    grid = np.where(
        theta_big(mu, theta2(mu, beta, (5 * beta**2 - 4 * beta) / 8, lam), lam, s2) > 0, grid, np.inf
    )
    i, j = np.unravel_index(np.argmin(grid), grid.shape)

    def logged(x):
        with np.errstate(all="ignore"):
            at = value(lam + np.exp(x[0]), 3 + np.exp(x[1]), lam, s2, gamma)
        return np.log(at) if at > 0 else np.inf

    x = np.log([mu[i, 0] - lam, beta[0, j] - 3])
    for _ in range(3):
        x = minimize(logged, x, method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-15}).x
    with mp.workdps(digits):

        def plain(m, b):
            return value(m, b, mp.mpf(lam), mp.mpf(s2), mp.mpf(gamma), sqrt=mp.sqrt)

        slopes = (lambda m, b: mp.diff(plain, (m, b), (1, 0)), lambda m, b: mp.diff(plain, (m, b), (0, 1)))
        root = mp.findroot(slopes, (lam + np.exp(x[0]), 3 + np.exp(x[1])))
        return float(plain(*root)), float(root[0]), float(root[1])
