"""Every parameter value that the paper's text and figures state."""

from __future__ import annotations

from fedproof.bounds.statement import PaperSetting

NONCONVEX = ("composite.theorem3.5", "composite.theorem3.5.sharpened")
EITHER = (*NONCONVEX, "composite.theorem3.6", "composite.theorem3.6.sharpened")
SYNTHETIC = {"alpha": "50", "beta": "50", "dimension": "20"}
FIG2 = SYNTHETIC | {"penalty_weight": "0.003", "samples": "100"}
FIG3 = SYNTHETIC | {"penalty_weight": "0.0005", "samples": "2000"}
FIG4 = {
    "penalty_weight": "1e-4", "dimension": "112394", "samples": "60000", "test_samples": "10000",
    "dealt_at_random": "30000", "dealt_by_label": "30000",
}  # fmt: skip


_ORDER = ("n", "tau", "b", "sigma2", "eta", "eta_g")
LONG = {"n": "10", "b": "10", "eta": "0.005", "eta_g": "1"}
#: where, what it varies and its values, the statements that speak of it, the rest and what no theorem names
_ROWS: tuple[tuple[str, str, tuple[str, str], tuple[str, ...], dict[str, str], dict[str, str]], ...] = (
    ("Fig. 2", "tau", ("1", "10"), EITHER, {"n": "30", "sigma2": "0", "eta": "4", "eta_g": "15"}, FIG2),
    ("Fig. 2, FedDA", "tau", ("1", "10"), (), {"n": "30", "eta": "4", "eta_g": "15"}, FIG2),
    ("Fig. 2, FedMid", "tau", ("1", "10"), (), {"n": "30", "eta": "1", "eta_g": "5"}, FIG2),
    ("Fig. 3", "b", ("1", "20"), EITHER, {"n": "30", "tau": "20", "eta": "2", "eta_g": "8"}, FIG3),
    ("Fig. 4", "tau", ("5", "10"), NONCONVEX, LONG, FIG4),
    ("Fig. 4, FedDA", "tau", ("5", "10"), (), LONG, FIG4),
)

SETTINGS = tuple(
    PaperSetting(
        "composite",
        f"{where}, {varied} = {value}",
        tuple((name, (fixed | {varied: value})[name]) for name in _ORDER if name in fixed | {varied: value}),
        statements,
        tuple(extra.items()),
    )
    for where, varied, values, statements, fixed, extra in _ROWS
    for value in values
)
