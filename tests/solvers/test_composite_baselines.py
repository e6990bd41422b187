"""The methods for composite problems beside one another and SCAFFOLD: what each sends, is and reaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from fedproof.problems.composite.composite import Composite, prox_gradient
from fedproof.problems.composite.penalties.box import Box
from fedproof.problems.composite.penalties.l1 import L1
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.solvers.algorithms.fast_fedda import FastFedDA
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.solvers.algorithms.fedda import FedDA
from fedproof.solvers.algorithms.fedmid import FedMid
from fedproof.solvers.algorithms.scaffold import Scaffold
from fedproof.solvers.build_algorithm import make_algorithm
from fedproof.solvers.cohort import Cohort
from fedproof.solvers.driver import run
from fedproof.solvers.randomness import RandomSource
from fedproof.vocabulary.errors import InputError, UnknownName
from tests.refusals import refused

SMOOTH = random_quadratic(8, n_clients=4, dimension=3, samples=[2, 1, 3, 2])
WEIGHT = Fraction(1, 10)
EXACT = Composite(SMOOTH, L1(WEIGHT))
ETA, ETA_G, TAU = Fraction(1, 20), Fraction(3, 2), 3
STEP = ETA * ETA_G * TAU
METHOD = FedComposite(ETA, TAU, ETA_G, batch_size=1)
SHARES = [Fraction(int(s), 8) for s in SMOOTH.sizes]


def soft(x: Array, scale: Fraction) -> Array:
    """Soft thresholding by scale x WEIGHT."""
    found: Array = np.sign(x) * np.maximum(abs(x) - scale * WEIGHT, 0)
    return found


def gradient(i: int, x: Array, drawn: Array | None = None) -> Array:
    """Of one client's loss, on all of its samples or on those that are drawn."""
    first, last = SMOOTH.partition.offsets[i : i + 2]
    rows = range(first, last) if drawn is None else first + drawn
    found: Array = sum(SMOOTH.matrices[r] @ (x - SMOOTH.centre) + SMOOTH.slopes[r] for r in rows) / len(rows)
    return found


@dataclass
class Wire:
    """The only way between clients and server: it counts the numbers that pass, each way.

    Arguments:
        method: whose draws the clients take.
    """

    method: Any
    down: int = 0
    up: int = 0
    rounds: int = 0
    memory: list[dict[str, Any]] = field(default_factory=lambda: [{} for _ in SHARES])

    def round(self, sent: list[Array], client: Callable[..., list[Array]]) -> list[Array]:
        """What every client makes of its gradients, the message and what it remembers, averaged."""
        self.rounds += 1
        drawn = self.method.draw(SMOOTH, np.arange(4), RandomSource(4, self.rounds)).get("samples")

        def at(i: int) -> Callable[[int, Array], Array]:
            return lambda t, x: gradient(i, x, None if drawn is None else drawn[i, t])

        answers = [client(at(i), self.memory[i], *(a.copy() for a in sent)) for i in range(len(SHARES))]
        self.down += sum(a.size for a in sent) * len(SHARES)
        self.up += sum(a.size for answer in answers for a in answer)
        return [
            sum(p * a for p, a in zip(SHARES, parts, strict=True)) for parts in zip(*answers, strict=True)
        ]


def fedcomposite(wire: Wire, count: int) -> Array:
    """Algorithm 1 of composite, with one vector each way."""

    def client(gradient: Any, memory: dict[str, Any], bar: Array) -> list[Array]:
        c = (memory["model"] - bar) / STEP - memory["mean"] if memory else 0 * bar  # line 18
        hat = z = memory["model"] = soft(bar, STEP)
        memory["mean"] = 0 * bar
        for t in range(TAU):
            g = gradient(t, z)
            memory["mean"] = memory["mean"] + g / TAU
            hat = hat - ETA * (g + c)
            z = soft(hat, (t + 1) * ETA)
        return [hat]

    bar = SMOOTH.start()
    for _ in range(count):
        model = soft(bar, STEP)
        bar = model + ETA_G * (wire.round([bar], client)[0] - model)
    return soft(bar, STEP)


def fedmid(wire: Wire, count: int) -> Array:
    """Local proximal steps and one at the server."""

    def client(gradient: Any, memory: dict[str, Any], x: Array) -> list[Array]:
        for t in range(TAU):
            x = x - ETA * gradient(t, x)
            x = soft(x, ETA) if wire.method.local_prox == "every_step" else x
        return [x]

    x, reach = SMOOTH.start(), STEP if wire.method.server_prox == "all_steps" else STEP / TAU
    for _ in range(count):
        x = soft(x + ETA_G * (wire.round([x], client)[0] - x), reach)
    return x


def fedda(wire: Wire, count: int) -> Array:
    """Dual averaging; the clients count the rounds."""

    def client(gradient: Any, memory: dict[str, Any], z: Array) -> list[Array]:
        memory["round"] = memory.get("round", -1) + 1
        for k in range(TAU):
            z = z - ETA * gradient(k, soft(z, memory["round"] * STEP + k * ETA))
        return [z]

    z = SMOOTH.start()
    for _ in range(count):
        z = z + ETA_G * (wire.round([z], client)[0] - z)
    return soft(z, count * STEP)


def fast_fedda(wire: Wire, count: int) -> Array:
    """Two sums each way; the clients know x0, count the steps and find the server's model themselves."""
    x0, gamma, mu = SMOOTH.start(), 1 / ETA, Fraction(1, 2)

    def weight(t: int) -> int:
        return t + 1 if wire.method.weights == "linear" else 1

    def model(t: int, g: Array, x: Array) -> Array:
        total = sum(map(weight, range(t)))
        m = mu * total / 2 + gamma
        return soft((gamma * x0 + mu / 2 * x - g) / m, total / m) if t else x0

    def client(gradient: Any, memory: dict[str, Any], g: Array, x: Array) -> list[Array]:
        done = memory.get("done", 0)
        last = memory["done"] = done + TAU
        for t in range(done, last):
            w = model(t, g, x)
            g, x = g + weight(t) * gradient(t - done, w), x + weight(t) * w
        return [g, x + weight(last) * model(last, g, x) * (wire.method.last_model == "twice")]

    g, x = 0 * x0, 0 * x0
    for _ in range(count):
        g, x = wire.round([g, x], client)
    return model(count * TAU, g, x)


def scaffold(wire: Wire, count: int) -> Array:
    """Model and control variate, each way; Algorithm 1 of Karimireddy et al. with option II."""

    def client(gradient: Any, memory: dict[str, Any], x: Array, c: Array) -> list[Array]:
        own, y = memory.get("c", 0 * c), x
        for t in range(TAU):
            y = y - ETA * (gradient(t, y) - own + c)
        memory["c"] = own - c + (x - y) / (TAU * ETA)
        return [y - x, memory["c"] - own]

    x, c = SMOOTH.start(), 0 * SMOOTH.start()
    for _ in range(count):
        dx, dc = wire.round([x, c], client)
        x, c = x + ETA_G * dx, c + dc
    return x


FAST = FastFedDA("1/2", ETA, TAU)
PLAYED: list[tuple[Any, Any, Any, int]] = [
    (fedcomposite, FedComposite(ETA, TAU, ETA_G), EXACT, 1),
    (fedmid, FedMid(ETA, TAU, ETA_G), EXACT, 1),
    (fedda, FedDA(ETA, TAU, ETA_G), EXACT, 1),
    (fast_fedda, FAST, EXACT, 2),
    (scaffold, Scaffold(ETA, TAU, ETA_G), SMOOTH, 2),
]
NOISY = [(play, replace(method, batch_size=1), *rest) for play, method, *rest in PLAYED]
SWITCHED = [
    *((fedmid, FedMid(ETA, TAU, ETA_G, **{k: v}), EXACT, 1)
      for k, v in (("local_prox", "none"), ("server_prox", "one_step"))),
    *((fast_fedda, replace(FAST, weights=w, last_model=c), EXACT, 2)
      for w, c in (("linear", "once"), ("constant", "twice"), ("linear", "twice"))),
]  # fmt: skip


named: Callable[[Any], str] = lambda value: getattr(value, "name", "")[:12]  # noqa: E731


@pytest.mark.parametrize(("play", "method", "problem", "vectors"), [*PLAYED, *NOISY, *SWITCHED], ids=named)
def test_what_passes_between_clients_and_server(play: Any, method: Any, problem: Any, vectors: int) -> None:
    """Played over a wire that counts, with no other way between them, a method gives the run's model exactly.

    The numbers counted are the trace's: one vector of length d per client, round and direction, or two.
    """
    wire, history = Wire(method), run(method, problem, 3, seed=4)

    assert (play(wire, 3) == history.model).all()
    assert (64 * wire.down, 64 * wire.up) == (sum(history.downlink_bits), sum(history.uplink_bits))
    assert wire.down == wire.up == 3 * 4 * 3 * vectors


def states(method: Any, problem: Any, count: int) -> list[Any]:
    """States after every round, of all clients with single samples, the first one included."""
    found = [method.init(problem, problem.start())]
    for number in range(1, count + 1):
        draws = method.draw(problem, np.arange(4), RandomSource(3, number))
        found.append(method.round(problem, found[-1], Cohort.of(problem), draws)[0])
    return found


def test_without_a_penalty_it_is_scaffold() -> None:
    """g = 0, all clients, option II, stochastic gradients: equal models, and c_i of composite is c - c_i.

    SCAFFOLD sends twice as much for it. Its c_i are the means of the gradients that client i took. With
    option I the models differ from the third on.
    """
    ours = states(METHOD, SMOOTH, 4)
    theirs = states(Scaffold(ETA, TAU, ETA_G, batch_size=1), SMOOTH, 4)
    first = states(Scaffold(ETA, TAU, ETA_G, batch_size=1, option="one"), SMOOTH, 4)

    for one, other in zip(ours, theirs, strict=True):
        assert (one.model == other.model).all()
        assert (one.corrections == other.variate - other.variates).all()
    draws = METHOD.draw(SMOOTH, np.arange(4), RandomSource(3, 4))
    assert (theirs[4].variates == METHOD.local(SMOOTH, ours[3], np.arange(4), draws).memory).all()
    assert (first[1].model == ours[1].model).all()
    assert (first[2].model != ours[2].model).any()


def test_some_clients_alone() -> None:
    """With part of the clients the corrections still average to 0, as SCAFFOLD's do; the models differ."""
    part, every = Cohort.of(SMOOTH, [0, 2]), Cohort.of(SMOOTH)
    found = []
    for method in (FedComposite(ETA, TAU, ETA_G), Scaffold(ETA, TAU, ETA_G)):
        state = method.init(SMOOTH, SMOOTH.start())
        for cohort in (part, every, Cohort.of(SMOOTH, [1, 2]), part):
            state = method.round(SMOOTH, state, cohort, {})[0]
        found.append(state)

    assert not (every.weights @ found[0].corrections).any()
    assert found[0].corrections.all()
    assert (every.weights @ found[1].variates == found[1].variate).all()
    assert (found[0].model != found[1].model).all()


def test_option_one_takes_the_gradient_at_the_server() -> None:
    """Its control variates are the clients' gradients where the round began, at the cost of one more."""
    method = Scaffold(ETA, TAU, ETA_G, option="one")
    state, trace = method.round(SMOOTH, method.init(SMOOTH, SMOOTH.start()), Cohort.of(SMOOTH), {})

    assert all((state.variates[i] == gradient(i, SMOOTH.start())).all() for i in range(4))
    assert trace.gradients.tolist() == [(TAU + 1) * s for s in SMOOTH.sizes]
    noisy = replace(method, batch_size=2)
    drawn = noisy.draw(SMOOTH, np.arange(4), RandomSource(1, 1))
    state, _ = noisy.round(SMOOTH, noisy.init(SMOOTH, SMOOTH.start()), Cohort.of(SMOOTH), drawn)
    server = np.repeat(SMOOTH.start()[None], 4, axis=0)
    assert (state.variates == SMOOTH.sample_gradients(server, np.arange(4), drawn["variate"])).all()
    assert {k: v.shape for k, v in drawn.items()} == {"samples": (4, TAU, 2), "variate": (4, 2)}


def test_scaffold_is_for_smooth_losses() -> None:
    """It takes no proximal step: a penalty is refused."""
    refused(InputError, "scaffold on a problem with the penalty", run, Scaffold(ETA), EXACT, 1)


@pytest.mark.parametrize("kind", [FedComposite, FedMid, FedDA, Scaffold, partial(FastFedDA, "1/2")])
def test_no_local_step_is_refused(kind: Any) -> None:
    """tau = 0 leaves no step to correct, to average or to take a proximal step after."""
    refused(InputError, "local_steps: got 0, expected at least 1", kind, ETA, 0)


def test_letters_are_those_of_the_method() -> None:
    """Fast-FedDA has no server's step size, and needs mu."""
    given = {"mu": "1/2", "eta": ETA, "eta_g": 2}
    refused(UnknownName, "fast_fedda parameter: got eta_g", make_algorithm, FastFedDA, SMOOTH, given)
    refused(InputError, "fast_fedda: got no loss_strong_convexity", make_algorithm, FastFedDA, SMOOTH, {})


def test_one_local_step_is_the_proximal_gradient_method() -> None:
    """tau = 1: x <- P_s(x - s grad f(x)) with s = eta eta_g, exactly, and so is FedMid without local prox."""
    x = soft(SMOOTH.start(), ETA * ETA_G)
    for count in (1, 2, 3):
        x = soft(x - ETA * ETA_G * SMOOTH.gradient(x), ETA * ETA_G)

        assert (run(FedComposite(ETA, 1, ETA_G), EXACT, count).model == x).all()
    start = soft(SMOOTH.start(), ETA * ETA_G)
    assert (run(FedMid(ETA, 1, ETA_G, local_prox="none"), EXACT, 3, x0=start).model == x).all()


@pytest.mark.parametrize("method", [row[1] for row in PLAYED[:4]], ids=lambda m: m.name)
def test_on_a_box_models_are_feasible(method: Any) -> None:
    """With an indicator every model of a run lies in its domain; a start outside is refused."""
    box = Composite(SMOOTH, Box(Fraction(-1, 10), Fraction(1, 10)))
    inside, outside = (0 * SMOOTH.start() + Fraction(v) for v in ("1/20", "2"))

    losses = run(method, box, 3, x0=inside, metrics=["loss"]).metrics["loss"]

    assert all(isinstance(loss, Fraction) for loss in losses)
    refused(InputError, r"x0: got a model where .* is not finite", run, method, box, 1, x0=outside)


def heterogeneous(weight: str = "1/10") -> Composite:
    """Ten clients with curvatures between 1/20 and 1 and different minimisers, in five dimensions."""
    rng = np.random.default_rng(0)
    curvatures = 0.05 * 20 ** rng.random((10, 5))
    matrices = np.array([np.diag(c) for c in curvatures])
    slopes = -curvatures * (rng.standard_normal((10, 5)) + np.array([2, 0, 0, -1, 3]))
    exact = Quadratic.of(matrices.tolist(), slopes.tolist(), sizes=[1] * 10)
    return Composite(exact.as_float(), L1(weight))


def reached(method: Any, problem: Any, rounds: int, x0: Any = None) -> Array:
    """|G| by rounds over its value at the start, with one step for all methods."""

    def size(problem: Any, state: Any, trace: Any) -> float:
        return float(np.linalg.norm(prox_gradient(problem, state.model, 0.1)))

    sizes = np.array(run(method, problem, rounds, x0=x0, metrics={"size": size}).metrics["size"])
    ratios: Array = sizes / sizes[0]
    return ratios


def first_below(ratios: Array, level: float) -> int:
    """The first round at a level."""
    return int(np.argmax(ratios <= level)) if (ratios <= level).any() else len(ratios)


def test_ten_local_steps_are_a_server_step_ten_times_as_long() -> None:
    """Rounds to 1e-10 with tau = 1, with tau = 10, and with tau = 1 and 10 eta_g: the last two agree.

    With tau = 1 a round multiplies |G| by 1 - s h in the end, s = eta eta_g and h the least mean curvature
    where the solution is not 0: that predicts the ratio of its two counts.
    """
    problem = heterogeneous()
    methods = [FedComposite(0.02, tau, eta_g) for tau, eta_g in ((1, 5), (10, 5), (1, 50))]
    rounds = [first_below(reached(m, problem, 1500), 1e-10) for m in methods]
    support = run(methods[2], problem, 200).model != 0
    h = np.diag(np.mean(problem.smooth.client_matrices, axis=0))[support].min()  # type: ignore[attr-defined]

    assert rounds[0] < 1500
    assert abs(rounds[0] / rounds[2] / (np.log1p(-1 * h) / np.log1p(-0.1 * h)) - 1) < 0.1
    assert abs(rounds[1] / rounds[2] - 1) < 0.1


def test_the_others_stall_with_ten_local_steps() -> None:
    """tau = 10, full gradients, 300 rounds: ours is below 1e-10, the others and every ablation above 1e-4."""
    problem, ours = heterogeneous(), FedComposite(0.02, 10, 5)
    others = [FedDA(0.02, 10, 5), FedMid(0.02, 10, 5), FastFedDA("1/5", 1, 10)]
    others += [replace(ours, correction="none"), replace(ours, local_prox="constant")]
    others += [replace(ours, communicated="after_prox")]

    assert reached(ours, problem, 300)[-1] < 1e-10
    for method in others:
        assert reached(method, problem, 300).min() > 1e-4, method


def test_dual_averaging_has_the_same_factor_once_the_signs_stand() -> None:
    """tau = 1, l1, from the wrong signs: |G| differs on the way, and its factors agree to 1e-4 in the end."""
    problem, wrong = heterogeneous("1/2"), np.array([-1, 1, 1, 1, -3])
    dual, ours = (reached(kind(0.02, 1, 5), problem, 600, wrong) for kind in (FedDA, FedComposite))

    assert (abs(dual / ours - 1) > 1e-2).any()
    factors = [(r[600] / r[500]) ** 0.01 for r in (dual, ours)]
    assert abs(factors[0] - factors[1]) < 1e-4
    assert factors[0] < 0.99


@pytest.mark.parametrize("tau", [1, 2])
def test_the_clients_form_forgets_its_zero_sum(tau: int) -> None:
    """In floats the mean correction of lines 13-18 grows by one rounding a round; that of (2) does not.

    The mean enters the next round's models and nothing pulls it back, so that |G| grows with it.
    """
    problem = heterogeneous()
    ours = FedComposite(0.02, tau, 50 // tau)
    cohort = Cohort.of(problem)
    drifts, sizes = {}, {}
    for form in ("clients", "compact"):
        method = replace(ours, form=form)
        state, drift = method.init(problem, problem.start()), []
        for _ in range(2000):
            state, _ = method.round(problem, state, cohort, {})
            drift.append(np.abs(cohort.weights @ state.corrections).max())
        drifts[form] = drift
        sizes[form] = np.linalg.norm(prox_gradient(problem, state.model, 0.1))

    assert 3.5 < drifts["clients"][1999] / drifts["clients"][499] < 4.5
    assert max(drifts["compact"]) < 1e-15
    assert sizes["compact"] < 1e-14
    assert 0.1 < sizes["clients"] / drifts["clients"][-1] < 10
