"""What composite's steps on the server's model speak of: in a round at one of its draws, and over rounds."""

from __future__ import annotations

import numpy as np

from tests.papers.composite.paths import Rounds, world
from tests.papers.fedproxvr.paths import World, square


def server(run: Rounds, draw: int, second: str = "mu") -> World:
    """The second round at one of its n tau draws, counted from 1, with mu or L in D_g."""
    n, eta_t, theta = run.clients, run.eta_t, run.theta
    t, i = divmod(draw - 1, n)
    here, now = world(run, i, t), run.history[1]
    P, plus, tilde, grad = (here.vectors[name] for name in ("P", "plus", "tilde", "grad"))
    row = [(s, k) for s in range(run.tau) for k in range(n)]
    points = [now["z"][k][s] for s, k in row]
    changes = [run.full(k, x) - run.full(k, P) for x, (_, k) in zip(points, row, strict=True)]
    errors = [now["drawn"][k][s] - run.full(k, x) for x, (s, k) in zip(points, row, strict=True)]
    so_far = np.cumsum([0 * P, *errors], axis=0)
    noise, change = so_far[-1] / len(row), np.mean(changes, axis=0)
    v, best, mu = grad + noise + change, run.best, run.curvature
    a = mu if second == "mu" else run.L
    y, u = (run.prox(P - grad / w, 1 / w) for w in (a, run.L))
    near = P + a * eta_t * (y - P)
    value = {"0": P, "1": plus, "t": tilde, "s": best, "_P": P, "_tilde": tilde, "_next": plus, "_y": y,
             "_best": best, "_u": u, "_near": near}  # fmt: skip
    f, g = ({k: of(x) for k, x in value.items()} for of in (run.f, run.g))

    def lack(weight: float, x: np.ndarray) -> float:
        slope = float(np.mean(np.sum(grad * (x - P), axis=1)))
        return slope + weight / 2 * square(x - P) + run.g(x) - g["_P"]

    gap = f["0"] + g["0"] - f["s"] - g["s"]
    before = so_far[t * n]
    numbers = {
        **{f"f{k}": x for k, x in f.items()}, **{f"g{k}": x for k, x in g.items()},
        **{f"F{k}": f[k] + g[k] for k in value}, "g_y_L": g["_u"],
        "K": len(row), "model": lack(1 / eta_t, tilde), "j": draw,
        "err2": square(v - grad), "mean_noise2": square(noise), "change2": square(change),
        "total2": square(so_far[-1]), "pgd2": square(tilde - P), "mu": mu, "a": a, "a2": run.L, "mu_sc": mu,
        "gap": gap, "defect": mu * gap + a * lack(a, y), "defect_L": mu * gap + run.L * lack(run.L, u),
        "far2_solutions": square(P - best), "dist0": square(P - best), "dist1": square(plus - best),
        "floor": (1 + 5.23 * n * (run.L * eta_t / run.eta_g) ** 2) * run.variance / (n * run.tau),
    }  # fmt: skip
    vectors = {
        "earlier": before, "same": so_far[draw - 1] - before, "told": run.told(before, t), "v": v,
        "h_plus": (P - eta_t * v - plus) / eta_t, "noise": noise, "change": change, "e": errors[draw - 1],
        "d": changes[draw - 1], "zj": points[draw - 1], "so_far": so_far[draw - 1], "a": P, "b": v,
        "y": y, "u": u, "y_L": u, "near": near, "on_segment": near,
        "best": np.tile(best, (len(P), 1)), "h_P": theta * np.sign(P),
    }  # fmt: skip
    sequences = {
        "M": lambda j: square(so_far[j]),
        "Z": lambda j: square(points[j - 1] - P),
        "C": lambda j: square(changes[j - 1]),
        "I": lambda j: float(np.mean(np.sum(changes[j - 1] * change, axis=1))),
    }
    return World({**here.numbers, **numbers}, {**here.vectors, **vectors}, {**here.sequences, **sequences})


def over_rounds(run: Rounds) -> World:
    """All rounds of a run with full gradients, from corrections 0."""
    R, e, mu = run.rounds, run.eta_t, run.curvature
    P = [now["P"] for now in run.history]
    Fs = run.f(run.best) + run.g(run.best)
    F = [run.f(x) + run.g(x) for x in P]
    lam = [run.spread(r) for r in range(R + 1)]
    spread = [sum(square(x - mean) for x in own) / run.clients for own, mean in lam]
    mapped = [square(x - run.prox(x - e * run.grad(x), e)) / e**2 for x in P]
    Om = [x - Fs + y / e for x, y in zip(F, spread, strict=True)]
    third, half, sharp = (1 - share * mu * e for share in (1 / 3, 1 / 2, 0.9))
    numbers = {
        "R": R, "n": run.clients, "tau": run.tau, "b": 1.0, "sigma2": 0.0, "L": run.L, "eta": run.eta,
        "eta_g": run.eta_g, "eta_t": e, "mu": mu, "B_g": run.theta * run.d**0.5, "Fs": Fs, "Omega1": Om[0],
        "kept": third**R, "kept_sharp": sharp**R, "half1": half ** (R - 1), "R1": R - 1,
        "third1": third ** (R - 1), "k": 2, "P2": half**2, "P3": third**2, "eps": 1e3, "eps_F": 1e3, "t": 0,
    }  # fmt: skip
    tables = {"F": F, "G": mapped, "Lam": spread, "Om": Om, "dist2": [square(x - run.best) for x in P]}
    return World(
        numbers,
        {},
        {
            **{name: (lambda r, x=x: x[r - 1]) for name, x in tables.items()},
            "p": lambda r: sharp ** (R - r),
            "half": lambda r: half ** (R - 1 - r),
            "third": lambda r: third ** (R - r),
        },
    )
