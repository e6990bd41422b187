"""Every parameter value that the paper's text, tables and figures state."""

from __future__ import annotations

from fedproof.bounds.statement import PaperSetting

SARAH = ("fedproxvr.lemma1.sarah", "fedproxvr.certified.sarah")
SVRG = ("fedproxvr.lemma1.svrg", "fedproxvr.certified.svrg")


def _setting(
    where: str,
    statements: tuple[str, ...],
    parameters: dict[str, str],
    **extra: str,
) -> PaperSetting:
    return PaperSetting("fedproxvr", where, tuple(parameters.items()), statements, tuple(extra.items()))


SETTINGS = (
    _setting("Fig. 1", ("fedproxvr.problem23",), {"L": "1", "lam": "0.5"}),
    _setting("Sec. 5, convex", (), {}, clients="100", labels_per_client="2", train="0.75"),
    _setting("Sec. 5, non-convex", (), {}, clients="10", labels_per_client="2", train="0.75"),
    _setting("Fig. 2, smaller (SARAH)", SARAH, {"beta": "5", "tau": "10"}, batch_size="32"),
    _setting("Fig. 2, smaller (SVRG)", SVRG, {"beta": "5", "tau": "10"}, batch_size="32"),
    _setting("Fig. 2, larger (SARAH)", SARAH, {"beta": "7", "tau": "20"}, batch_size="32"),
    _setting("Fig. 2, larger (SVRG)", SVRG, {"beta": "7", "tau": "20"}, batch_size="32"),
    _setting("Fig. 3", (), {}, batch_size="64"),
    _setting("Fig. 4, mu = 0 (SARAH)", SARAH, {"mu": "0"}),
    _setting("Fig. 4, mu = 0 (SVRG)", SVRG, {"mu": "0"}),
    _setting(
        "Table 1, FedAvg",
        (),
        {"beta": "10", "tau": "10", "mu": "0"},
        batch_size="16",
        rounds="983",
        accuracy="0.8402",
    ),
    _setting(
        "Table 1, SVRG",
        SVRG,
        {"beta": "10", "tau": "20", "mu": "0.1"},
        batch_size="32",
        rounds="895",
        accuracy="0.8412",
    ),
    _setting(
        "Table 1, SARAH",
        SARAH,
        {"beta": "5", "tau": "20", "mu": "0.1"},
        batch_size="32",
        rounds="965",
        accuracy="0.8421",
    ),
    _setting(
        "Table 2, FedAvg",
        (),
        {"beta": "10", "tau": "20", "mu": "0"},
        batch_size="16",
        rounds="995",
        accuracy="0.9352",
    ),
    _setting(
        "Table 2, SVRG",
        SVRG,
        {"beta": "10", "tau": "20", "mu": "0.01"},
        batch_size="16",
        rounds="970",
        accuracy="0.9406",
    ),
    _setting(
        "Table 2, SARAH",
        SARAH,
        {"beta": "9", "tau": "20", "mu": "0.01"},
        batch_size="32",
        rounds="958",
        accuracy="0.9375",
    ),
)
