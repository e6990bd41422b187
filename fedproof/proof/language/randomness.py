"""Sources of randomness, unbiased estimates, compression operators and mixtures, as hypotheses at all points.

The space is that of random vectors, whose inner product is the expected product. The mean over one source,
all others held, is a projection of this space: `q(x)` is x with the source q averaged out, and x is free of q
where q(x) = x. What is centred in q is then orthogonal to what is free of q, and to nothing else by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from fedproof.algebra.expressions import printed
from fedproof.proof.language.everywhere import ForEvery
from fedproof.proof.language.functions import Field
from fedproof.proof.notation import Eq
from fedproof.proof.vectors import ip, n2, vectors

x, y = vectors("x y")
a = sp.Symbol("a", real=True)


@dataclass(frozen=True)
class Source:
    """A source of randomness, or a family of them with an index.

    Arguments:
        name: of the mean over it.
        over: (index, first, last) of a family.

    >>> q, (u, v) = Source("q"), vectors("u v")
    >>> q.symmetric.at(u, v).relation
    Eq(ip(q(u), v), ip(u, q(v)))
    """

    name: str
    over: tuple[Any, Any, Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """The mean of a vector over the source; of a family the index comes first."""
        slots = r"_{#1}}[#2]" if self.over else r"}[#1]"
        return Field(self.name, rf"\mathbb E_{{{self.name}{slots}")(*arguments)

    def _at(self, vector: Any) -> Any:
        return self(*(() if self.over is None else self.over[:1]), vector)

    @property
    def symmetric(self) -> ForEvery:
        """A mean may be taken on either side of an inner product; its points are the two vectors."""
        with printed():
            said = Eq(ip(self._at(x), y), ip(x, self._at(y)))
        return ForEvery(said, (x, y), f"mean over {self.name}", self.over)

    @property
    def linear(self) -> ForEvery:
        """The mean of x + a y; its points are x, y and a."""
        with printed():
            said = Eq(self._at(x + a * y), self._at(x) + a * self._at(y))
        return ForEvery(said, (x, y, a), f"mean over {self.name}", self.over)

    def free(self, vector: Any, *over: tuple[Any, Any, Any], why: str = "") -> ForEvery:
        """That a vector does not depend on the source; of a family, for the indices that `over` says."""
        return self.unbiased(vector, vector, *over, why=why or f"does not depend on {self.name}")

    def unbiased(
        self, vector: Any, mean: Any, *over: tuple[Any, Any, Any], why: str = "unbiased"
    ) -> ForEvery:
        """That the mean of a vector over the source is another."""
        index = [row[0] for row in over[:1]] if self.over else []
        with printed():
            return ForEvery(Eq(self(*index, vector), mean), (), why, tuple(over) or None)


@dataclass(frozen=True)
class Compressor:
    """A random operator with E Q(x) = x and E|Q(x) - x|^2 <= omega |x|^2 for every x free of its source.

    It is said of q(x), the mean over its source, which any vector free of the source is; so nothing is known
    of Q at vectors that depend on its own source, and nothing else of Q at all: it is not linear.

    >>> Q = Compressor("Q", Source("q"), sp.Symbol("omega"))
    >>> Q.spread.relation
    n2(Q(q(x)) - q(x)) <= omega*n2(q(x))
    """

    name: str
    source: Source
    omega: Any
    why: str = "compressor"

    def __call__(self, *arguments: Any) -> Any:
        """The compressed vector; of a family the index comes first."""
        return Field(self.name)(*arguments)

    def _sides(self) -> tuple[Any, Any]:
        index = () if self.source.over is None else self.source.over[:1]
        held = self.source(*index, x)
        return held, self(*index, held)

    @property
    def mean(self) -> ForEvery:
        """E Q(x) = x for x free of the source; its point is x."""
        index = () if self.source.over is None else self.source.over[:1]
        held, image = self._sides()
        with printed():
            return ForEvery(Eq(self.source(*index, image), held), (x,), self.why, self.source.over)

    @property
    def spread(self) -> ForEvery:
        """E|Q(x) - x|^2 <= omega |x|^2 for x free of the source; its point is x."""
        held, image = self._sides()
        with printed():
            said = n2(image - held) <= self.omega * n2(held)
        return ForEvery(said, (x,), self.why, self.source.over)


def mixture(v: Any, p: Any, one: Any, other: Any, coin: Source, why: str = "mixture") -> ForEvery:
    """v is one vector with probability p, else the other: its mean square about any y free of the coin.

    It is said of their means over the coin, which are they themselves where they are free of it.
    """
    with printed():
        c = coin(y)
        said = Eq(n2(v - c), p * n2(coin(one) - c) + (1 - p) * n2(coin(other) - c))
    return ForEvery(said, (y,), why)
