"""The verb `describe`: how large the clients are, which labels they hold, and how unlike they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fedproof.problems.catalog import as_problem
from fedproof.problems.data.origin import client_names, names_of, origin_of
from fedproof.problems.problem import Array, Problem
from fedproof.problems.supervised.supervised import Supervised
from fedproof.vocabulary.result import Result, Table

_QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
_SHOWN, _SHOWN_LABELS = 20, 12


@dataclass(frozen=True)
class Heterogeneity:
    """How unlike the clients are; None where it does not apply.

    Arguments:
        label_distance_mean: mean over clients, by size, of the total-variation distance between a client's
            label distribution and the pooled one, from 0 (alike) to 1.
        label_distance_max: the largest of these distances.
        feature_distance: root of the share of the features' total variance that lies between client means,
            from 0 (all means alike) to 1 (each client's rows alike).
        size_variation: standard deviation of the sizes over their mean.
        size_gini: Gini coefficient of the sizes, from 0 (all alike) to below 1.
    """

    label_distance_mean: float | None
    label_distance_max: float | None
    feature_distance: float | None
    size_variation: float
    size_gini: float


@dataclass(frozen=True, eq=False)
class Description(Result):
    """A federated problem in numbers.

    Arguments:
        problem: what it is, in words.
        model: the model's name.
        dimension: length of a model.
        features: of a row, with its bias if it has one; None if it has no rows.
        sizes: rows of every client, shape (clients,).
        counts: rows of every client with each label, shape (clients, labels); None without labels.
        label_distances: total-variation distance of each client's labels from the pooled ones, or None.
        held_out: rows for testing.
        heterogeneity: how unlike the clients are.
        client_names: what they are called; numbers where the source has no names.
        class_names: what the labels are called; None without labels.
        read: what was read of a user's data, as JSON data; None for others.
    """

    problem: str
    model: str
    dimension: int
    features: int | None
    sizes: Array
    counts: Array | None
    label_distances: Array | None
    held_out: int
    heterogeneity: Heterogeneity
    client_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] | None = None
    read: Mapping[str, Any] | None = None

    @property
    def labels_per_client(self) -> Array | None:
        """How many labels every client holds, shape (clients,)."""
        return None if self.counts is None else (self.counts > 0).sum(axis=1)

    @property
    def size_quantiles(self) -> dict[str, float]:
        """Sizes of the smallest and largest client and between, by the share of clients below."""
        values = np.quantile(self.sizes, _QUANTILES)
        return {f"{share:g}": float(value) for share, value in zip(_QUANTILES, values, strict=True)}

    @property
    def frame(self) -> Any:
        """A pandas table, one row a client: size, labels, distance, and a column of counts a label."""
        import pandas as pd

        columns: dict[str, Any] = {"size": self.sizes}
        if self.counts is not None:
            columns |= {"labels": self.labels_per_client, "label_distance": self.label_distances}
            named = zip(self._labels, self.counts.T, strict=True)
            columns |= {f"label {label}": counts for label, counts in named}
        index = (
            pd.Index(self.client_names, name="client")
            if self._named
            else pd.RangeIndex(len(self.sizes), name="client")
        )
        return pd.DataFrame(columns, index=index)

    @property
    def _named(self) -> bool:
        """Whether the clients have names of their own."""
        return self.client_names not in ((), names_of(None, len(self.sizes)))

    @property
    def _labels(self) -> tuple[str, ...]:
        """What each column of counts is called."""
        return names_of(self.class_names, 0 if self.counts is None else self.counts.shape[1])

    def to_dict(self) -> dict[str, Any]:
        """The JSON document, with the whole matrix of counts."""
        return {
            "problem": self.problem,
            "model": self.model,
            "dimension": self.dimension,
            "features": self.features,
            "clients": len(self.sizes),
            "rows": int(self.sizes.sum()),
            "held_out": self.held_out,
            "sizes": self.sizes,
            "size_quantiles": self.size_quantiles,
            "labels_per_client": self.labels_per_client,
            "counts": self.counts,
            "label_distances": self.label_distances,
            "heterogeneity": vars(self.heterogeneity),
            "client_names": self.client_names,
            "class_names": self.class_names,
            "read": self.read,
        }

    def headline(self) -> str:
        """How much there is, and of what sizes."""
        found = self.size_quantiles
        held = f"; {self.held_out} held out" if self.held_out else ""
        return (
            f"{len(self.sizes)} clients, {int(self.sizes.sum())} rows: "
            f"from {found['0']:g} to {found['1']:g}, median {found['0.5']:g}{held}"
        )

    def tables(self) -> tuple[Table, ...]:
        """The problem, its heterogeneity, and the first clients."""
        about = [("problem", self.problem), ("model", f"{self.model}, {self.dimension} parameters")]
        if self.features is not None:
            about.append(("features", f"{self.features} a row"))
        if self.read is not None:
            about.append(("read", self.read["line"]))
        rows = [(name.replace("_", " "), value) for name, value in vars(self.heterogeneity).items()]
        unlike = Table("how unlike the clients are", ("", ""), tuple(rows))
        return (Table("", ("", ""), tuple(about)), unlike, *self._clients())

    def _clients(self) -> tuple[Table, ...]:
        """One row a client, and its rows of each label; the first clients and labels only."""
        shown = range(min(_SHOWN, len(self.sizes)))
        names = names_of(self.client_names or None, len(self.sizes))
        title = f"the first {_SHOWN} clients" if len(self.sizes) > _SHOWN else "clients"
        if self.counts is None or self.label_distances is None:
            return (Table(title, ("client", "size"), tuple((names[n], int(self.sizes[n])) for n in shown)),)
        held, far = (self.counts > 0).sum(axis=1), self.label_distances
        each = ((names[n], int(self.sizes[n]), int(held[n]), round(float(far[n]), 3)) for n in shown)
        kinds = self.counts.shape[1]
        first = range(min(_SHOWN_LABELS, kinds))
        rows = ((names[n], *(int(self.counts[n, k]) or "" for k in first)) for n in shown)
        of_labels = f"the first {_SHOWN_LABELS} labels" if kinds > _SHOWN_LABELS else "each label"
        return (
            Table(title, ("client", "size", "labels", "label distance"), tuple(each)),
            Table(f"rows of {of_labels}", ("client", *self._labels[: len(first)]), tuple(rows)),
        )


def describe(
    problem: str | Path | Problem | Any,
    *,
    clients: int | None = None,
    problem_seed: int = 0,
    problem_options: Mapping[str, Any] | None = None,
) -> Description:
    """Sizes, labels per client and heterogeneity of a problem.

    Arguments:
        problem: a word, a path, data in memory, or a problem object.
        clients, problem_seed, problem_options: how a named problem is made, as `run` takes them.

    Raises: InputError, UnknownName or DataError, one line each.

    >>> describe("digits", clients=20).headline()
    '20 clients, 1797 rows: from 87 to 92, median 90'
    """
    problem = as_problem(problem, clients, problem_seed, problem_options)
    sizes = np.asarray(problem.sizes)
    smooth = getattr(problem, "smooth", problem)
    rows = smooth if isinstance(smooth, Supervised) else None
    counts = None if rows is None else _counts(rows)
    distances = None if counts is None else _label_distances(counts)
    by_size = None if distances is None else float(distances @ sizes / sizes.sum())
    origin = origin_of(problem)
    unlike = Heterogeneity(
        label_distance_mean=by_size,
        label_distance_max=None if distances is None else float(distances.max()),
        feature_distance=None if rows is None else _feature_distance(rows),
        size_variation=float(sizes.std() / sizes.mean()),
        size_gini=_gini(sizes),
    )
    return Description(
        problem=problem.name,
        model=rows.model.name if rows else type(smooth).__name__.lower(),
        dimension=problem.dimension,
        features=int(rows.features.shape[1]) if rows else None,
        sizes=sizes,
        counts=counts,
        label_distances=distances,
        held_out=len(rows.held_out.labels) if rows and rows.held_out is not None else 0,
        heterogeneity=unlike,
        client_names=client_names(problem),
        class_names=None if counts is None else _class_names(problem, counts.shape[1]),
        read=None if origin is None or origin.reading is None else origin.document(sizes),
    )


def _class_names(problem: Problem, many: int) -> tuple[str, ...]:
    origin = origin_of(problem)
    return names_of(None if origin is None else origin.classes, many)


def _counts(problem: Supervised) -> Array | None:
    """Rows of every client with each label; None for real targets."""
    if problem.labels.dtype.kind not in "iu":
        return None
    kinds = max(int(problem.labels.max()) + 1, int(getattr(problem.model, "classes", 0)))
    owners = np.repeat(np.arange(problem.n_clients), problem.sizes)
    flat = np.bincount(owners * kinds + problem.labels, minlength=problem.n_clients * kinds)
    return flat.reshape(problem.n_clients, kinds)


def _label_distances(counts: Array) -> Array:
    """Half the sum of absolute differences from the pooled distribution, shape (clients,)."""
    pooled = counts.sum(axis=0) / counts.sum()
    distances: Array = np.abs(counts / counts.sum(axis=1, keepdims=True) - pooled).sum(axis=1) / 2
    return distances


def _feature_distance(problem: Supervised) -> float | None:
    """Root of (variance between client means, by size) / (total variance); None if nothing varies."""
    x, sizes = problem.features, problem.sizes
    mean = x.mean(axis=0)
    means = np.add.reduceat(x, problem.partition.offsets[:-1], axis=0) / sizes[:, None]
    between = float((sizes * np.square(means - mean).sum(axis=1)).sum())
    total = sum(float(np.square(x[i : i + 4096] - mean).sum()) for i in range(0, len(x), 4096))
    return min(1.0, (between / total) ** 0.5) if total > 0 else None


def _gini(sizes: Array) -> float:
    """Mean absolute difference of two sizes over twice their mean."""
    ordered, n = np.sort(sizes), len(sizes)
    return float(((2 * np.arange(1, n + 1) - n - 1) * ordered).sum() / (n * ordered.sum()))
