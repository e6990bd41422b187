"""Classification tasks: which data, split over how many clients."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fedproof.figures.number_format import number
from fedproof.figures.parameters import Parameter, real, text, whole
from fedproof.figures.spec import Column
from fedproof.solvers.runs.problem_spec import ProblemSpec, make_problem_spec
from fedproof.vocabulary.plurals import count

MADE = "synthetic"
"""The data that are drawn, not read: they come split over their clients."""
_DIGITS = 20
DATA_NAMES = {MADE: "Synthetic of Li et al. (2020)", "digits": "scikit-learn's digits (8 × 8 pixels)"}
TASK = Column("task", "the task's data and clients, in words")
SMOOTHNESS = Column(
    "L", "smoothness in stepsize = 1/(beta L); empty: each problem's certified one", "loss/length^2"
)


def task_parameters(
    data: tuple[str, ...], paper_clients: int, model: str, most_samples: int
) -> tuple[Parameter, ...]:
    """The parameters that `task` reads, with a figure's own values of those that differ between figures."""
    return (
        text("data", data, "problems' words or files"),
        whole("clients", 0, "clients; 0: as many as the paper's, at most 20 on the digits", zero=True),
        whole("paper_clients", paper_clients, "as many as the paper's"),
        real("alpha", 1.0),
        whole("most_samples", most_samples, "of a client of Synthetic; 0: no limit", zero=True),
        real("heterogeneity", 1.0, "spread of the clients' data in Synthetic, its β"),
        text("model", model),
    )


def smoothness_of(data: str, size: Mapping[str, Any]) -> float:
    """The L that a size gives for one of its data: the last for all that follow; 0 for the certified one."""
    place: int = size["data"].index(data)
    return float(size["L"][min(place, len(size["L"]) - 1)])


def task(data: str, size: Mapping[str, Any], seed: int) -> tuple[ProblemSpec, str]:
    """How the problem is made, and what it is, in words.

    Arguments:
        data: a problem's word or a file.
        size: with `clients` (0: as many as the paper, at most 20 on the digits), `paper_clients`, `model`;
            of Synthetic `alpha`, `heterogeneity` (its beta) and `most_samples` of a client (0: no limit).
        seed: of data and split.
    """
    most = size["paper_clients"]
    clients = size["clients"] or (min(_DIGITS, most) if data == "digits" else most)
    options: dict[str, Any] = {"test_fraction": "1/4", "model": size["model"]}
    words = f"{DATA_NAMES.get(data, name_of(data))} on {count(clients, 'client')}"
    if data == MADE:
        options |= {"alpha": size["alpha"], "beta": size["heterogeneity"]}
        pair = f"({number(size['alpha'])}, {number(size['heterogeneity'])})"
        words = words.replace("Synthetic", f"Synthetic{pair}")
        if size["most_samples"]:
            options["most_samples"] = size["most_samples"]
            words += f" of at most {size['most_samples']} samples"
    else:
        split = "labels" if data in DATA_NAMES else "lognormal"
        options |= {"labels_per_client": 2, "split": split}
        words += " with two labels each" + (" and lognormal sizes" if split == "lognormal" else "")
    return make_problem_spec(data, clients, seed, options), words


def name_of(data: str) -> str:
    """The data as a label: a word, or the name of a file without its folder."""
    return Path(data).name
