"""Every parameter value that the paper's text and figures state."""

from __future__ import annotations

from fedproof.bounds.statement import PaperSetting

NONCONVEX = ("composite.theorem3.5", "composite.theorem3.5.sharpened")
EITHER = (*NONCONVEX, "composite.theorem3.6", "composite.theorem3.6.sharpened")
SYNTHETIC = {"alpha": "50", "beta": "50", "dimension": "20"}
FIG2 = SYNTHETIC | {"penalty_weight": "0.003", "samples": "100"}
FIG3 = SYNTHETIC | {"penalty_weight": "0.0005", "samples": "2000"}
FIG4 = {"penalty_weight": "1e-4", "dimension": "112394", "samples": "60000", "test_samples": "10000"}


def _setting(
    where: str, statements: tuple[str, ...], parameters: dict[str, str], extra: dict[str, str]
) -> PaperSetting:
    return PaperSetting("composite", where, tuple(parameters.items()), statements, tuple(extra.items()))


SETTINGS = (
    *(
        _setting(
            f"Fig. 2, tau = {tau}",
            EITHER,
            {"n": "30", "tau": tau, "sigma2": "0", "eta": "4", "eta_g": "15"},
            FIG2,
        )
        for tau in ("1", "10")
    ),
    *(
        _setting(f"Fig. 2, FedDA, tau = {tau}", (), {"n": "30", "tau": tau, "eta": "4", "eta_g": "15"}, FIG2)
        for tau in ("1", "10")
    ),
    *(
        _setting(f"Fig. 2, FedMid, tau = {tau}", (), {"n": "30", "tau": tau, "eta": "1", "eta_g": "5"}, FIG2)
        for tau in ("1", "10")
    ),
    *(
        _setting(
            f"Fig. 3, b = {b}",
            EITHER,
            {"n": "30", "tau": "20", "b": b, "eta": "2", "eta_g": "8"},
            FIG3,
        )
        for b in ("1", "20")
    ),
    *(
        _setting(
            f"Fig. 4, tau = {tau}",
            NONCONVEX,
            {"n": "10", "tau": tau, "b": "10", "eta": "0.005", "eta_g": "1"},
            FIG4,
        )
        for tau in ("5", "10")
    ),
    *(
        _setting(
            f"Fig. 4, FedDA, tau = {tau}",
            (),
            {"n": "10", "tau": tau, "b": "10", "eta": "0.005", "eta_g": "1"},
            FIG4,
        )
        for tau in ("5", "10")
    ),
)
