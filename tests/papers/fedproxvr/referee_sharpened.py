"""The sharpened problem (23) typed a second time, from the balls in its proof: the oracle of these tests."""

from __future__ import annotations

import numpy as np
from scipy.optimize import differential_evolution


def theta(mu, beta, tau, lam, L=1.0, sqrt=np.sqrt):
    """The square of theta is (beta L + mu) over (mu - lam) tau."""
    return sqrt((beta * L + mu) / ((mu - lam) * tau))


def deviation(mu, th, lam, s2, L=1.0, sqrt=np.sqrt):
    """q: what the centre's step lacks of 1/L, and sqrt(1 + sigma2) times the ball's radius and theta/mt."""
    shortest, longest = 1 / (L + mu), 1 / (mu - lam)
    step, radius = (shortest + longest) / 2, (longest - shortest) / 2
    return (1 - L * step) + sqrt(1 + s2) * L * (radius + th * longest)


def value(mu, beta, tau, lam, s2, gamma, L=1.0, sqrt=np.sqrt):
    """(1 + gamma tau)/Theta with Theta = (1 - q^2)/(2 L)."""
    q = deviation(mu, theta(mu, beta, tau, lam, L, sqrt), lam, s2, L, sqrt)
    return (1 + gamma * tau) * 2 * L / (1 - q**2)


def most_steps(mu, beta, lam, estimator, L=1.0):
    """The largest tau: (beta - 1)(beta + mu/L); for SVRG, tau + 1 is that times (mu - lam)/(L + mu)."""
    room = (beta - 1) * (beta + mu / L)
    return room if estimator == "sarah" else room * (mu - lam) / (L + mu) - 1


def least_beta(mu, tau, lam, estimator, L=1.0, sqrt=np.sqrt):
    """The beta at which that is tau: with B = beta L + mu, B^2 - (L + mu) B = L^2 times the room needed."""
    room = tau if estimator == "sarah" else (tau + 1) * (L + mu) / (mu - lam)
    return (((L + mu) + sqrt((L + mu) ** 2 + 4 * L**2 * room)) / 2 - mu) / L


def admissible(mu, beta, tau, lam, s2, estimator, L=1.0):
    """beta >= 1, tau not too large, the centre's step at most 1/L, and q < 1."""
    q = deviation(mu, theta(mu, beta, tau, lam, L), lam, s2, L)
    short = L * (1 / (L + mu) + 1 / (mu - lam)) / 2 <= 1
    return (mu > lam) & (beta >= 1) & (tau <= most_steps(mu, beta, lam, estimator, L)) & short & (q < 1)


def search(lam, s2, gamma, estimator, seed=0):
    """The least value at L = 1 by differential evolution over mu, beta and the part of the largest tau."""

    def at(x):
        mu, beta = lam + np.exp(x[0]), 1 + np.exp(x[1])
        tau = most_steps(mu, beta, lam, estimator) * np.exp(-x[2])
        with np.errstate(all="ignore"):
            inside = admissible(mu, beta, tau * (1 - 1e-15), lam, s2, estimator)
            return np.log(value(mu, beta, tau, lam, s2, gamma)) if inside else 50.0

    box = [(np.log(0.3), np.log(300.0)), (-3.0, 9.0), (0.0, 2.0)]
    found = differential_evolution(at, box, seed=seed, tol=1e-12, popsize=20, maxiter=2000)
    return float(np.exp(found.fun))
