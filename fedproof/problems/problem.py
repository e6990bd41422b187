"""What an algorithm may ask of a problem, and constants that say how well they are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from fedproof.vocabulary.plurals import count

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant of a problem and how well it is known.

    Arguments:
        value: the number; None where no finite one exists or none is known.
        kind: "exact", "certified" (a proven bound on the safe side) or "estimate".
        how: one clause saying where it comes from.
        spread: width of the enclosure (certified) or of the sampled values (estimate); None if exact.

    >>> Constant(2, "exact", "largest eigenvalue by construction").kind
    'exact'
    """

    value: Any
    kind: str
    how: str
    spread: Any = None

    def to_dict(self) -> dict[str, Any]:
        """The entry of the contract's `measure` document."""
        return {"value": self.value, "kind": self.kind, "spread": self.spread, "how": self.how}


@dataclass(frozen=True, eq=False)
class Solution:
    """A minimiser of F = f + g.

    Arguments:
        model: x*, shape (d,); fractions where it is exact, floats where it is near one.
        least_loss: F*; exact, or its proved lower end with the width of the enclosure as spread.
        exact: whether the model is a minimiser and not near one.
    """

    model: Array
    least_loss: Constant
    exact: bool


class Forwarded:
    """An attribute that is that of a part, and that is there where the part has it.

    Arguments:
        part: the name of the attribute that holds the part.

    >>> class Wrapped:
    ...     inner, kind = Constant(2, "exact", "counted"), Forwarded("inner")
    >>> Wrapped().kind
    'exact'
    """

    def __init__(self, part: str) -> None:
        self.part = part

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else getattr(getattr(owner, self.part), self.name)


def problem_headline(problem: Any) -> str:
    """A problem in one line: what it is, in words, its samples and the length of a model.

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> problem_headline(Quadratic.of([[[1]]] * 4, [[0]] * 4, sizes=[2, 1, 1]))
    'quadratic; 4 samples, 1 parameter'
    """
    samples = count(int(sum(problem.sizes)), "sample")
    return f"{problem.name}; {samples}, {count(problem.dimension, 'parameter')}"


def client_shares(problem: Any) -> Array:
    """What each client counts in the loss: D_n / D, or 1 / N where all count the same; shape (n_clients,).

    >>> from fedproof.problems.quadratics.quadratic import Quadratic
    >>> client_shares(Quadratic.of([[[1]]] * 4, [[0]] * 4, sizes=[3, 1]))
    array([0.75, 0.25])
    """
    masses = np.ones(problem.n_clients) if counts_alike(problem) else problem.sizes
    shares: Array = masses / masses.sum()
    return shares


def counts_alike(problem: Any) -> bool:
    """Whether the loss is the plain mean over the clients, whatever they hold."""
    return getattr(problem, "weights", "size") == "equal"


@runtime_checkable
class Problem(Protocol):
    """Minimise sum_n (D_n / D) F_n(x), where F_n is the mean of client n's D_n sample losses.

    FedProxVR, (1)-(2). Shapes: d = dimension, k = clients asked about, b = samples of each. Models may
    carry leading axes, (..., k, d), so that gradients at several points share one pass over the samples.
    Client ids may repeat. Gradients are new arrays, which the caller may change; the algorithms here neither
    change nor keep them, so that a run does no harm to a problem that lends its own until the next call.
    Numbers are float64, or `fractions.Fraction` in object arrays.
    """

    @property
    def name(self) -> str:
        """What the problem is, in words."""

    @property
    def n_clients(self) -> int:
        """How many clients there are."""

    @property
    def dimension(self) -> int:
        """d, the length of a model."""

    @property
    def sizes(self) -> Array:
        """D_n, shape (n_clients,), whole numbers >= 1."""

    @property
    def constants(self) -> Mapping[str, Constant]:
        """Known constants by canonical word."""

    def number(self, value: Any) -> Any:
        """`value` in the problem's own arithmetic."""

    def start(self) -> Array:
        """The default initial model, shape (d,)."""

    def sample_gradients(self, models: Array, clients: Array, samples: Array) -> Array:
        """Mean gradient over samples (k, b) of each client at its own model (..., k, d)."""

    def client_gradients(self, models: Array, clients: Array) -> Array:
        """Gradient of each client's F_n at its own model (..., k, d)."""

    def hessian_products(self, models: Array, vectors: Array, clients: Array) -> Array:
        """Hessian of each client's F_n at its own model (k, d) times its vectors (..., k, d)."""

    def client_losses(self, models: Array, clients: Array) -> Array:
        """F_n of each client at its own model (..., k, d): shape (..., k)."""

    def loss(self, model: Array) -> Any:
        """Global loss at one model (d,)."""

    def gradient(self, model: Array) -> Array:
        """Global gradient at one model (d,)."""

    def hessian_product(self, model: Array, vectors: Array) -> Array:
        """Hessian of the global loss at one model (d,) times vectors (..., d)."""
