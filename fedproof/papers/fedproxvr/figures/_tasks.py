"""The tasks of Sec. 5: which data, split over how many clients."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fedproof.figures.number_format import number
from fedproof.figures.spec import Column
from fedproof.solvers.runs.problem_spec import ProblemSpec, make_problem_spec
from fedproof.vocabulary.plurals import count

MADE = "synthetic"
"""The data that are drawn, not read: they come split over their clients."""
_DIGITS = 20
_NAMES = {MADE: "Synthetic of Li et al. (2020)", "digits": "scikit-learn's digits (8 × 8 pixels)"}
TASK = Column("task", "the task's data and clients, in words")


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
    words = f"{_NAMES.get(data, name_of(data))} on {count(clients, 'client')}"
    if data == MADE:
        options |= {"alpha": size["alpha"], "beta": size["heterogeneity"]}
        pair = f"({number(size['alpha'])}, {number(size['heterogeneity'])})"
        words = words.replace("Synthetic", f"Synthetic{pair}")
        if size["most_samples"]:
            options["most_samples"] = size["most_samples"]
            words += f" of at most {size['most_samples']} samples"
    else:
        split = "labels" if data in _NAMES else "lognormal"
        options |= {"labels_per_client": 2, "split": split}
        words += " with two labels each" + (" and lognormal sizes" if split == "lognormal" else "")
    return make_problem_spec(data, clients, seed, options), words


def name_of(data: str) -> str:
    """The data as a label: a word, or the name of a file without its folder."""
    return Path(data).name
