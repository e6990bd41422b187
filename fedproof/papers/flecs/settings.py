"""Every parameter value that Sec. 5 states, mu1 = 1/Omega and mu2 = 1/omega of the truncation constants.

omega of the dithering follows from levels, norm and features, (sqrt(1 + (d - 1)/s^2) - 1)/2, rounded down.
Two sentences state two numbers of levels. n, L and mu are not said.
"""

from __future__ import annotations

from fedproof.bounds.statement import PaperSetting

THEOREMS = ("flecs.theorem4", "flecs.theorem4.repaired", "flecs.theorem5", "flecs.theorem5.repaired")
STEPS = (("alpha", "1"), ("mu1", "1e-8"), ("mu2", "1e5"))
GAMMA = ("gamma", "1")
EXTRA = (
    ("trunc_lo", "1e-5"), ("trunc_hi", "1e8"), ("rho", "1e-8"), ("beta", "1"), ("B_0", "0"),
    ("m", "1, 2, 4, 8"), ("p", "inf"),
)  # fmt: skip
#: features and, by the number of levels, omega
_DATA: dict[str, tuple[int, dict[int, str]]] = {
    "a9a": (123, {64: "0.007391", 128: "0.001858"}),
    "gisette-scale": (5000, {64: "0.245060", 128: "0.071208"}),
    "real-sim": (20958, {64: "0.736573", 128: "0.254836"}),
}

SETTINGS = (
    *(
        PaperSetting(
            "flecs",
            f"Sec. 5, {data}, {levels} levels",
            (*STEPS, GAMMA, ("omega", omega)),
            THEOREMS,
            (*EXTRA, ("d", str(features)), ("s", str(levels))),
            "at gamma = 1 the shifts take on all that the compressor adds; alpha = 1 with these mu1 and mu2 "
            "asks for L <= 2.5e-18 (settings.stepsize)",
        )
        for data, (features, found) in _DATA.items()
        for levels, omega in found.items()
    ),
)
