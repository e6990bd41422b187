"""The tasks of Sec. 5: which data, split over how many clients."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fedproof.solvers.recipe import Recipe, make_recipe

__all__ = ["MADE", "name_of", "task", "words_of"]

MADE = "synthetic"
"""The data that are drawn, not read: they come split over their clients."""
_DIGITS = 20


def task(data: str, size: Mapping[str, Any], seed: int) -> tuple[Recipe, int]:
    """How the problem is made, and its number of clients.

    Arguments:
        data: a problem's word or a file.
        size: with `clients` (0: as many as the paper, at most 20 on the digits) and, where the figure has
            them, `model`, `alpha` and `beta`.
        seed: of data and split.
    """
    most = size["paper_clients"]
    clients = size["clients"] or (min(_DIGITS, most) if data == "digits" else most)
    options: dict[str, Any] = {"test_fraction": "1/4", "model": size["model"]}
    if data == MADE:
        options |= {"alpha": size["alpha"], "beta": size["heterogeneity"]}
    else:
        options |= {"labels_per_client": 2}
    return make_recipe(data, clients, seed, options), clients


def name_of(data: str) -> str:
    """The data as a label: a word, or the name of a file without its folder."""
    return Path(data).name


def words_of(names: list[str]) -> str:
    """What stands in for the paper's data."""
    own = {
        "synthetic": "Synthetic(α, β) of Li et al. (2020)",
        "digits": "scikit-learn's digits (8 × 8 pixels)",
    }
    return " and ".join(own.get(name, name) for name in names)
