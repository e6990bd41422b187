"""What Appendix E.3 reports of runs on data."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox.statements.printed import KEY

_DATA = "MNIST and FEMNIST with a convolutional network, Sent140 with an LSTM"


def _reported(name: str, title: str, figure: str, says: str, note: str = "") -> Statement:
    claim = Reported(says, _DATA, f"{KEY}.figure{figure}", "data and a network that are shipped")
    return Statement(
        f"{KEY}.appendixE.{name}", title, Source(KEY, f"E.3, Fig. {figure}"), (), claim, note=note
    )


SAMPLES = _reported(
    "samples",
    "FedMSPP needs fewer samples than FedProx and FedAvg to reach an accuracy",
    "1",
    "FedMSPP with every minibatch size consistently needs significantly fewer samples than the others",
)
SMALLER = _reported(
    "smaller",
    "FedMSPP with smaller minibatches is more sample-efficient",
    "1",
    "FedMSPP with a smaller minibatch size tends to have better sample efficiency",
)
ROUNDS_TAKEN = _reported(
    "rounds",
    "FedMSPP needs slightly more rounds than FedProx and FedAvg",
    "2",
    "In most cases FedMSPP needs just slightly more rounds of communication to reach comparable accuracy",
    "For Sent140 the text has the minibatch size 75, the captions of Figs. 1 and 2 have 70.",
)
REPLACES = _reported(
    "replaces",
    "FedMSPP is a safe and computationally more efficient replacement of FedProx",
    "2",
    "FedMSPP is a safe and computationally more efficient replacement of FedProx on these tasks",
)
