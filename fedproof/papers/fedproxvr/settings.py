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
    size = extra.get("batch_size")
    sampled = size is not None and statements in (SARAH, SVRG)
    return PaperSetting(
        "fedproxvr",
        where,
        tuple(parameters.items()),
        statements,
        tuple(extra.items()),
        f"run with mini-batches of {size}, which Lemma 1 does not model: it draws one sample a step"
        if sampled
        else "",
    )


SETTINGS = (
    _setting("Fig. 1", ("fedproxvr.problem23",), {"L": "1", "lam": "0.5"}),
    _setting("Sec. 5, convex", (), {}, clients="100", labels_per_client="2", train="0.75"),
    _setting(
        "Sec. 5, non-convex",
        (),
        {},
        clients="10",
        labels_per_client="2",
        train="0.75",
        channels="32, 64",
        kernel="5",
        pool="2",
    ),
    *(
        _setting(f"Sec. 5, {data}", (), {}, least_samples=least, most_samples=most)
        for data, least, most in (
            ("Synthetic", "37", "3277"),
            ("MNIST", "454", "3939"),
            ("Fashion-MNIST", "37", "1350"),
        )
    ),
    _setting("Fig. 2, smaller (SARAH)", SARAH, {"beta": "5", "tau": "10"}, batch_size="32"),
    _setting("Fig. 2, smaller (SVRG)", SVRG, {"beta": "5", "tau": "10"}, batch_size="32"),
    _setting("Fig. 2, larger (SARAH)", SARAH, {"beta": "7", "tau": "20"}, batch_size="32"),
    _setting("Fig. 2, larger (SVRG)", SVRG, {"beta": "7", "tau": "20"}, batch_size="32"),
    _setting("Fig. 3", (), {}, batch_size="64"),
    _setting("Fig. 4, mu = 0 (SARAH)", SARAH, {"mu": "0"}),
    _setting("Fig. 4, mu = 0 (SVRG)", SVRG, {"mu": "0"}),
    *(
        _setting(
            f"Table {table}", of, {"beta": beta, "tau": tau, "mu": mu}, batch_size=B, rounds=T, accuracy=best
        )
        for table, of, beta, tau, mu, B, T, best in (
            ("1, FedAvg", (), "10", "10", "0", "16", "983", "0.8402"),
            ("1, SVRG", SVRG, "10", "20", "0.1", "32", "895", "0.8412"),
            ("1, SARAH", SARAH, "5", "20", "0.1", "32", "965", "0.8421"),
            ("2, FedAvg", (), "10", "20", "0", "16", "995", "0.9352"),
            ("2, SVRG", SVRG, "10", "20", "0.01", "16", "970", "0.9406"),
            ("2, SARAH", SARAH, "9", "20", "0.01", "32", "958", "0.9375"),
        )
    ),
)
