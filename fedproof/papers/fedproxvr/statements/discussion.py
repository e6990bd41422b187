"""The discussion of Fig. 1: how the solution of problem (23) moves."""

from __future__ import annotations

from fedproof.bounds.claims import Direction
from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.statements.printed import KEY


def _powers(first: float, last: float, count: int) -> tuple[float, ...]:
    step = (last - first) / (count - 1)
    return tuple(10 ** (first + i * step) for i in range(count))


#: L and lam are those of Fig. 1; the paper gives no ranges for gamma and sigma2, these are chosen
_FIGURE = ((L, (1.0,)), (lam, (0.5,)), (sigma2, (0, 0.25, 0.5, 1, 2, 4, 8, 16)), (gamma, _powers(-4, 1, 21)))
_FAR = ((L, (1.0,)), (lam, (0.5,)), (sigma2, _powers(0, 6, 7)), (gamma, _powers(-12, 2, 15)))


def _observed(variant: str, quantity: sp.Symbol, symbol: sp.Symbol, direction: Direction) -> Statement:
    return Statement(
        f"{KEY}.discussion1.{variant}",
        f"Optimal {quantity.name} is {direction} in {symbol.name}",
        Source(KEY, "Sec. 4.3, discussion of Fig. 1"),
        letters(L, lam, sigma2, gamma),
        Observed(f"{KEY}.problem23", quantity, symbol, direction, _FIGURE, _FAR),
        uses=(f"{KEY}.problem23",),
    )


DISCUSSION1_BETA_GAMMA = _observed("beta.gamma", beta, gamma, "decreasing")
DISCUSSION1_TAU_GAMMA = _observed("tau.gamma", tau, gamma, "decreasing")
DISCUSSION1_MU_GAMMA = _observed("mu.gamma", mu, gamma, "increasing")
DISCUSSION1_THETA_GAMMA = _observed("theta.gamma", theta, gamma, "increasing")
DISCUSSION1_MU_SIGMA2 = _observed("mu.sigma2", mu, sigma2, "increasing")
DISCUSSION1_BETA_SIGMA2 = _observed("beta.sigma2", beta, sigma2, "increasing")
DISCUSSION1_THETA_SIGMA2 = _observed("theta.sigma2", theta, sigma2, "decreasing")
DISCUSSION1_BIGTHETA_SIGMA2 = _observed("Theta.sigma2", Theta, sigma2, "decreasing")
