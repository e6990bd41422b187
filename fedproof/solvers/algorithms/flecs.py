"""FLECS: a second-order method whose clients send sketched Hessians, compressed, and whole gradients."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np

from fedproof.problems.minibatches import minibatches
from fedproof.problems.problem import Array, Problem
from fedproof.solvers.algorithm import BITS, ClientsThenServer, Trace, weighted_average
from fedproof.solvers.algorithms._hessian_states import DenseState, FactoredState, check_dense, check_factors
from fedproof.solvers.algorithms._truncation import pseudo_inverse, truncated_inverse, truncated_solution
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.compressor import Compressor
from fedproof.solvers.gradient_differences import (
    check_compressor,
    compressed,
    evaluated,
    gradients_at,
    oracle_ranges,
)
from fedproof.solvers.parameters import check_parameters, checked
from fedproof.solvers.randomness import Draws, RandomSource, Uniform
from fedproof.vocabulary.errors import InputError

State: TypeAlias = FactoredState | DenseState


@dataclass(frozen=True, eq=False)
class Sent:
    """What the server reads of a block of clients, and the product that it had sent them.

    Arguments:
        gradient: c_i, or g_i where gradients are sent whole, shape (k, d).
        difference: C_i, shape (k, d, m).
        curvature: M_i, shape (k, m, m).
        inner: what Algorithm 2 takes from M_i, shape (k, m, m); None for Algorithm 3.
        received: B_i S, shape (k, d, m).
        gradients: sample gradients and Hessian-vector products evaluated, shape (k,).
    """

    gradient: Array
    difference: Array
    curvature: Array
    inner: Array | None
    received: Array
    gradients: Array


@dataclass(frozen=True)
class Flecs(ClientsThenServer):
    """Algorithm 1 of FLECS-CGD (Agafonov, Erraji, Takac, 2022) with Q(x) = x; "line" is one of its listing.

    That is FLECS of Agafonov, Kamzolov, Tappenden, Gasnikov and Takac (2022). The listings' signs are partly
    lost in the text: every search direction is -A g with A positive definite, as Lemma 8 says, and line 17
    sends what line 4 of the next round collects, w_{k+1} and B_{k+1}^i S_{k+1}. The server's means weigh
    clients as the cohort does. All B_i and h_i start at 0.

    Arguments:
        stepsize: alpha > 0, a factor of the search direction.
        memory: m, columns of the sketch S.
        hessian_update: "direct" (Algorithm 3), which keeps d x m factors, or "truncated_lsr1" (Algorithm 2),
            which keeps a matrix d x d for every client.
        direction: "fedsonia" (Algorithm 5) or "truncated_inverse" (Algorithm 4).
        hessian_learning_rate: beta in (0, 1] of the direct update.
        trunc_lo, trunc_hi: omega and Omega of Definition 7, 0 < omega <= Omega, loss / length^2; Algorithm 2
            has the same omega.
        complement_stepsize: rho of FedSONIA, length^2 / loss; None is 1 / Omega.
        batch_size: samples of a stochastic gradient, drawn with replacement; None takes all of a client's.
        hessian_samples: the products with the Hessian take "own" samples, drawn apart, or those of the
            gradient, "shared".
        sketch: entries of S, independent random "signs" or standard "gaussian"; the paper does not say.
        lsr1_core: what Algorithm 2 inverts: "mended", M - S^T B S, with which B_{k+1} S = Y where nothing is
            compressed or truncated, or "printed", M - S^T Y~, which is 0 where nothing is compressed.
        hessian_compressor: C, of the d m entries together.

    >>> from fedproof.solvers.compressors.identity import Identity
    >>> Flecs(hessian_compressor=Identity()).direction
    'fedsonia'
    """

    name: ClassVar[str] = "flecs"
    scales_steps: ClassVar[bool] = True
    letters: ClassVar[dict[str, str]] = {
        "alpha": "stepsize", "server_step": "stepsize", "m": "memory", "beta": "hessian_learning_rate",
        "rho": "complement_stepsize", "b": "batch_size",
    }  # fmt: skip
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "hessian_update": ("direct", "truncated_lsr1"),
        "direction": ("fedsonia", "truncated_inverse"),
        "hessian_samples": ("own", "shared"),
        "sketch": ("signs", "gaussian"),
        "lsr1_core": ("mended", "printed"),
    }
    parts: ClassVar[dict[str, str]] = {"hessian_compressor": "natural"}

    stepsize: Any = 1
    memory: int = 1
    hessian_update: str = "direct"
    direction: str = "fedsonia"
    hessian_learning_rate: Any = 1
    trunc_lo: Any = Fraction(1, 10**5)
    trunc_hi: Any = 10**8
    complement_stepsize: Any | None = None
    batch_size: int | None = None
    hessian_samples: str = "own"
    sketch: str = "signs"
    lsr1_core: str = "mended"
    hessian_compressor: Compressor = field(kw_only=True)

    def __post_init__(self) -> None:
        check_parameters(self)
        low, high = (checked(name, getattr(self, name)) for name in ("trunc_lo", "trunc_hi"))
        if high < low:
            raise InputError("trunc_hi", self.trunc_hi, f"at least trunc_lo = {self.trunc_lo}")
        for name in self.parts:
            check_compressor(name, getattr(self, name), 0)

    @property
    def exact(self) -> bool:
        """Whether it also runs on fractions: what it takes roots of is then a square."""
        rational = self.memory == 1 and self.direction == "fedsonia" and self.sketch == "signs"
        return rational and all(getattr(self, name).exact for name in self.parts)

    def init(self, problem: Problem, x0: Array) -> State:
        """h_0 = 0 and B_0 = 0.

        Raises: InputError for a sketch wider than the model is long, for a compressor that keeps more entries
            than there are, and for more matrices d x d, or d x m, than fit.
        """
        d, m, n = problem.dimension, self.memory, problem.n_clients
        if m > d:
            raise InputError("memory", m, f"at most {d}, the length of a model")
        self._check_messages(d)
        start = np.array(x0)
        if start.dtype == object and self.sketch != "signs":
            raise InputError("sketch", f"{self.sketch} on fractions", "signs", "write sketch=signs")
        zero = start.ravel()[:1] * 0
        shifts = np.repeat(start[None] * 0, self._shifted(n), axis=0)
        if self.hessian_update == "truncated_lsr1":
            check_dense(n, d, "hessian_update truncated_lsr1", "use hessian_update=direct")
            return DenseState(start, shifts, np.tile(zero, (n, d, d)))
        check_factors(n, d, m)
        grows = checked("hessian_learning_rate", self.hessian_learning_rate) < 1
        if self.direction == "truncated_inverse" and (grows or n * m >= d):
            check_dense(1, d, "direction truncated_inverse", "use direction=fedsonia")
        return FactoredState(start, shifts, np.tile(zero, (n, d, m)), np.tile(zero, (n, 1, m, m)))

    def ranges(self, problem: Problem, cohort: Array) -> dict[str, Uniform]:
        """The batches of gradients and Hessian products, and what the compressors draw."""
        found = oracle_ranges(problem, cohort, "samples", self.batch_size)
        if self.hessian_samples == "own":
            found |= oracle_ranges(problem, cohort, "hessian_samples", self.batch_size)
        length = problem.dimension * self.memory
        return found | {"hessian_compressor": self.hessian_compressor.uniform(length, len(cohort))}

    def draw(self, problem: Problem, cohort: Array, source: RandomSource) -> Draws:
        """All randomness of one round; the sketch is the round's, the same for the server and all clients."""
        shape = (problem.dimension, self.memory)
        rng = source.generator("sketch", client=0)
        signs = self.sketch == "signs"
        sketch = 2 * rng.integers(0, 2, shape) - 1 if signs else rng.standard_normal(shape)
        return {
            **super().draw(problem, cohort, source),
            "sketch": np.broadcast_to(sketch, (len(cohort), *shape)),
        }

    def work(self, problem: Problem, cohort: Array, draws: Draws) -> Array:
        """Sample gradients and Hessian-vector products that each client evaluates, 1 + m passes."""
        del draws
        return (1 + self.memory) * evaluated(problem, cohort, self.batch_size)

    def local(self, problem: Problem, state: State, cohort: Array, draws: Draws) -> Sent:
        """Lines 2-6 for a block of clients; `received` is what the server computed for line 4."""
        sketch = draws["sketch"][0] * problem.number(1)
        received = state.products(sketch, cohort)  # lines 17 and 4
        gradient = gradients_at(problem, state.model, cohort, draws, self.batch_size)  # line 4
        products = self._hessian_products(problem, state.model, sketch, cohort, draws)  # line 5
        difference = compressed(self.hessian_compressor, products - received, draws["hessian_compressor"])
        inner = None
        if self.hessian_update == "truncated_lsr1":
            inner = sketch.T @ (received if self.lsr1_core == "mended" else difference + received)
        return Sent(
            self._message(state, gradient, cohort, draws),  # line 6
            difference,  # line 6
            sketch.T @ products,  # line 5
            inner,
            received,
            self.work(problem, cohort, draws),
        )

    def aggregate(self, problem: Problem, state: State, cohort: Cohort, local: Sent) -> tuple[State, Trace]:
        """Lines 7-15: the server's part, and the shifts, which server and workers move alike."""
        clients, weights = cohort.clients, cohort.weights
        gradients, shifts = self._gradients(problem, state, clients, local.gradient)  # lines 7 and 11
        sketched = local.difference + local.received  # line 11
        hessians = self._updated(problem, state, clients, local, sketched)  # line 12
        gradient = weighted_average(weights, gradients)  # line 13
        low, high = problem.number(self.trunc_lo), problem.number(self.trunc_hi)
        arrays: dict[str, Any] = {"shifts": shifts, **hessians}
        after = replace(state, **arrays)
        if self.direction == "fedsonia":  # line 14, Algorithm 5
            rest = 1 / high if self.complement_stepsize is None else problem.number(self.complement_stepsize)
            columns = (weights @ sketched.reshape(len(weights), -1)).reshape(sketched.shape[1:])
            core = weighted_average(weights, local.curvature)
            found = truncated_solution(columns, pseudo_inverse(core), gradient, low, high, rest)
        else:  # line 14, Algorithm 4
            found = after.solution(clients, weights, gradient, low, high)
        model = state.model - problem.number(self.stepsize) * found  # line 15
        return replace(after, model=model), self._trace(problem, state, cohort, local)

    def _shifted(self, clients: int) -> int:
        """How many shifts are kept, of so many clients."""
        del clients
        return 0

    def _check_messages(self, dimension: int) -> None:
        """Refuse compressors that have no message of such lengths."""
        check_compressor("hessian_compressor", self.hessian_compressor, dimension * self.memory)

    def _message(self, state: State, gradient: Array, cohort: Array, draws: Draws) -> Array:
        """c_i of line 6; here the gradients as they are."""
        del state, cohort, draws
        return gradient

    def _gradients(
        self, problem: Problem, state: State, cohort: Array, message: Array
    ) -> tuple[Array, Array]:
        """g~_i of line 11 and all shifts after line 7."""
        del problem, cohort
        return message, state.shifts

    def _gradient_bits(self, dimension: int) -> int:
        """Bits of c_i."""
        return BITS * dimension

    def _hessian_products(
        self, problem: Problem, model: Array, sketch: Array, cohort: Array, draws: Draws
    ) -> Array:
        """Y_i = H_i S, shape (k, d, m)."""
        shape = (sketch.shape[1], len(cohort), len(model))
        models = np.broadcast_to(model, shape[1:])
        vectors = np.broadcast_to(sketch.T[:, None], shape)
        if self.batch_size is None:
            products = problem.hessian_products(models, vectors, cohort)
        else:
            drawn = draws["hessian_samples" if self.hessian_samples == "own" else "samples"]
            batches = minibatches(problem, cohort, drawn)
            products = batches.hessian_products(models, vectors, np.arange(len(cohort)))
        return np.ascontiguousarray(np.moveaxis(products, 0, 2))

    def _updated(
        self, problem: Problem, state: State, cohort: Array, local: Sent, sketched: Array
    ) -> dict[str, Array]:
        """The arrays of B_{k+1}^i: Algorithm 2, where Y~ - B S is C, or Algorithm 3."""
        if local.inner is not None:
            core = truncated_inverse(local.curvature - local.inner, problem.number(self.trunc_lo))
            return state.updated(cohort, problem.number(1), local.difference, core)
        rate = problem.number(self.hessian_learning_rate)
        return state.updated(cohort, 1 - rate, sketched, rate * pseudo_inverse(local.curvature))

    def _trace(self, problem: Problem, state: State, cohort: Cohort, local: Sent) -> Trace:
        """Bits of lines 4 and 6: w and B_i S down, c_i, C_i and M_i up."""
        d, m, k = problem.dimension, self.memory, len(cohort.clients)
        up = self._gradient_bits(d) + self.hessian_compressor.bits(d * m) + BITS * m * m
        return Trace(
            start=state.model,
            cohort=cohort.clients,
            weights=cohort.weights,
            uplink_bits=np.full(k, up),
            downlink_bits=np.full(k, BITS * (d + d * m)),
            gradients=local.gradients,
        )
