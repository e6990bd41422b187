"""Every parameter value that Appendix E and its tables and captions state; eta is 1/mu_t of Table 3.

How many devices take part in a round is not said, nor L, G or nu of the models.
"""

from __future__ import annotations

from fedproof.bounds.statement import PaperSetting

#: the conditions on the step size: what the proof needs, and the printed one for some smoothness
STEPSIZE1 = ("fedprox.theorem1.general", "fedprox.appendixE.stepsize")
NETWORK = (
    "a network with pooling, neither smooth nor Lipschitz; local problems are solved by SGD to no said eps"
)
LSTM = "an LSTM, not globally Lipschitz; local problems are solved by SGD to no said eps"
_DATA: dict[str, dict[str, str]] = {
    "MNIST": {"T": "200", "eta": "10"},
    "FEMNIST": {"T": "300", "eta": "10"},
    "Sent140": {"T": "300", "eta": "1000"},
}
_TABLE2: dict[str, dict[str, str]] = {
    "MNIST": {"clients": "100", "samples": "63000", "train_samples": "56700", "train": "0.9"},
    "FEMNIST": {"clients": "50", "samples": "55050", "train_samples": "49545", "train": "0.9"},
    "Sent140": {"clients": "261", "samples": "21546", "train_samples": "17237", "train": "0.8"},
}
_TABLE3: dict[str, dict[str, str]] = {
    "MNIST": {"epochs": "2", "local_batch_size": "567", "sgd_stepsize": "0.25", "mu": "0.1"},
    "FEMNIST": {"epochs": "5", "local_batch_size": "512", "sgd_stepsize": "0.06", "mu": "0.1"},
    "Sent140": {"epochs": "10", "local_batch_size": "100", "sgd_stepsize": "0.1", "mu": "0.001"},
}
_MODELS: dict[str, dict[str, str]] = {
    "MNIST": {"labels_per_client": "2", "channels": "32, 64", "pixels": "28 x 28"},
    "FEMNIST": {"labels_per_client": "3", "channels": "32, 64", "pixels": "28 x 28", "classes": "10"},
    "Sent140": {"hidden": "256", "layers": "2", "characters": "25", "embedding": "300"},
}
_TARGETS = {"MNIST": "0.80, 0.90, 0.95", "FEMNIST": "0.80, 0.85, 0.91", "Sent140": "0.68, 0.70, 0.73"}
#: the captions have 70 for the 75 of the text
_BATCHES = {
    "MNIST": (("E.3", "81"), ("E.3", "63"), ("E.3", "10")),
    "FEMNIST": (("E.3", "128"), ("E.3", "64"), ("E.3", "16")),
    "Sent140": (("E.3", "75"), ("Figs. 1(c) and 2(c)", "70"), ("E.3", "50"), ("E.3", "20")),
}


def _plain(where: str, values: dict[str, str]) -> PaperSetting:
    return PaperSetting("fedprox", where, (), (), tuple(values.items()))


SETTINGS = (
    *(_plain(f"E.1, {data}", values) for data, values in _MODELS.items()),
    *(_plain(f"Table 2, {data}", values) for data, values in _TABLE2.items()),
    *(
        PaperSetting(
            "fedprox",
            f"Table 3, {data}",
            tuple(values.items()),
            STEPSIZE1,
            tuple(_TABLE3[data].items()),
            LSTM if data == "Sent140" else NETWORK,
        )
        for data, values in _DATA.items()
    ),
    *(_plain(f"E.2, {data}", {"accuracy": values}) for data, values in _TARGETS.items()),
    *(
        PaperSetting("fedprox", f"{where}, FedMSPP on {data}, b = {b}", (*_DATA[data].items(), ("b", b)), ())
        for data, rows in _BATCHES.items()
        for where, b in rows
    ),
)
