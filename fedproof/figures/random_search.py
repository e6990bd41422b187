"""Random search for each method's best hyper-parameters, and the best ones again on fresh seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from fedproof.figures.runs import run_table
from fedproof.figures.spec import ComputeContext, Frame

if TYPE_CHECKING:
    from fedproof.figures.runs import Labelled

Setting = tuple[str, str, dict[str, Any]]
"""Data, method, hyper-parameters by name."""


def drawn(
    data: Sequence[str], grids: Mapping[str, Mapping[str, Sequence[Any]]], tried: int, key: int
) -> Iterator[Setting]:
    """Settings to be tried: the same for all data, drawn without repetition for each method.

    Arguments:
        data: names.
        grids: for every method, the values of each of its hyper-parameters.
        tried: how many for each method.
        key: of the random numbers.
    """
    for name in data:
        for place, (method, grid) in enumerate(grids.items()):
            every = list(product(*grid.values()))
            rng = np.random.Generator(np.random.Philox(key=np.array([key, place], dtype=np.uint64)))
            for i in sorted(rng.permutation(len(every))[:tried]):
                yield name, method, dict(zip(grid, every[i], strict=True))


def best_of(rows: Frame, hyper: Sequence[str]) -> tuple[dict[str, Any], int]:
    """The setting and the round of the highest mean accuracy, among those that every search seed reached."""
    found = rows.groupby([*hyper, "round"], sort=False).test_accuracy
    whole = found.count() == rows.seed.nunique()
    *values, at = found.mean()[whole].idxmax()
    return dict(zip(hyper, values, strict=True)), int(at)


def search_then_repeat(
    settings: Sequence[Setting],
    runs: Callable[..., Iterator[Labelled]],
    seeds: tuple[int, int],
    context: ComputeContext,
) -> Frame:
    """Every setting on some seeds, then the best setting of each method and data on fresh ones.

    Arguments:
        settings: to be tried.
        runs: of a setting (data, method, hyper) on a range of seeds; all three are in the labels.
        seeds: how many for the search, and how many fresh ones.

    Returns: the last rows of the search runs (`stage` search) and, of the fresh runs, the row of the round at
        which the search found the highest accuracy (`stage` final).
    """
    hyper = list(settings[0][2])
    search = run_table([run for one in settings for run in runs(*one, range(seeds[0]))], context)
    best = {key: best_of(rows, hyper) for key, rows in search.groupby(["data", "method"], sort=False)}
    names = {one[0]: next(iter(runs(*one, range(1))))[0]["data"] for one in settings}
    fresh = range(seeds[0], sum(seeds))
    chosen = [one for one in settings if one[2] == best[names[one[0]], one[1]][0]]
    final = run_table([run for one in chosen for run in runs(*one, fresh)], context)
    read = [{"data": data, "method": method, "read": at} for (data, method), (_, at) in best.items()]
    final = final.merge(pd.DataFrame(read))
    final = final[final["round"] == final["read"]]
    key = ["data", "method", *hyper, "seed"]
    last = search[search["round"] == search.groupby(key)["round"].transform("max")]
    return pd.concat([last.assign(stage="search"), final.assign(stage="final")], ignore_index=True)
