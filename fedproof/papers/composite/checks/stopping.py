"""Full gradients: the corrections' zero sum (17), stopping at the solution (A.2), and how many digits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from fedproof.papers.composite.checks._family import RunExperiment, line
from fedproof.papers.composite.checks._metrics import gaps, squared_mapping
from fedproof.problems.problem import Array
from fedproof.problems.quadratics.exact_linear_algebra import fractions
from fedproof.problems.separable import Separable
from fedproof.solvers.algorithms.fedcomposite import FedComposite
from fedproof.validate.empirical.comparison import Place, compare
from fedproof.validate.empirical.copies import seeded
from fedproof.validate.empirical.runs import run_from
from fedproof.validate.empirical.theory import bound_at, bounds, metric
from fedproof.validate.replicas import generator
from fedproof.validate.verdict import BoundComparison, EmpiricalCheck, SamplingBudget

PL, NONCONVEX, ZERO = "composite.exact.pl", "composite.exact.nonconvex", "composite.eq17"
ALONE, SETTLED = "composite.appendixA2.stops", "composite.stops"
TAU, SERVER = 4, Fraction(3, 2)
UNIT = 2.0**-53
LONG, ROUNDS, SHORT = 1500, 300, 4
#: units of rounding of the largest number in the mapping that a run may stay away from 0; those of a round
UNITS, EACH = 64, 4


@cache
def experiment(clients: int, settled: bool = False) -> RunExperiment:
    """Clients that pull apart, at the solution: x* = 1, with corrections grad f - grad f_i or 0.

    >>> [str(x) for x in experiment(3).instance.solution]
    ['1']
    """
    pulls = [Fraction(2 * k - clients + 1) for k in range(clients)]
    curved = [Fraction(1, 1 + k % 2) for k in range(clients)]
    middle = sum(curved) / Fraction(clients)
    slopes = [-middle - Fraction(1, 3) - p for p in pulls]
    instance = line(curved, slopes, Separable(Fraction(1, 3)), name=f"{clients} clients pulling apart")
    eta = Fraction(1, 10) / (TAU * SERVER)
    x = instance.solution
    own = instance.problem.client_gradients(np.repeat(x[None], clients, axis=0), np.arange(clients))
    whole = np.add.reduce(own, axis=0) / Fraction(clients)
    # the pre-proximal point whose proximal point is x*
    start = x - FedComposite(eta, TAU, SERVER).effective_stepsize * whole
    return RunExperiment(instance, FedComposite(eta, TAU, SERVER), start, whole - own if settled else None)


def staying(clients: int, settled: bool, budget: SamplingBudget) -> BoundComparison:
    """The largest movement in some rounds from the solution, in fractions, where the statement says 0."""
    given, id = experiment(clients, settled), SETTLED if settled else ALONE
    path = run_from([given], budget.change(given.method), SHORT, None, 1, exact=True)
    moves = path.models[1:, 0] - path.models[:-1, 0]
    measured = np.add.reduce(moves * moves, axis=1).max()
    how = "c_i = grad f - grad f_i" if settled else "c = 0"
    return compare(
        id, metric(id), [Place(measured, bound_at(id, **given.numbers), given)],
        (f"{given.describe()}, started at x* with {how}, {SHORT} rounds in fractions",
         f"Omega^1 = {given.numbers['Omega1']}, in {SHORT} rounds |P^(r+1) - P^r|^2 is at most {measured}: "
         f"{'the model stays, exactly' if measured == 0 else 'the model leaves'}."), budget,
    )  # fmt: skip


def leaving(budget: SamplingBudget, clients: int = 3) -> BoundComparison:
    """From the solution with c^1 = 0 and several clients: how far the model goes, and that it comes back."""
    given = experiment(clients)
    least, solution, method = given.instance.least, given.instance.solution[0], budget.change(given.method)
    first = run_from([given], method, 1, None, 1, exact=True).models[1, 0, 0]
    path = run_from([given], method, ROUNDS, None, 1, exact=False)
    found = gaps(given.rounded, path.models[1:, 0], least)
    distance = np.abs(path.models[:, 0, 0] - float(solution))
    allowed = bounds(PL, **given.letters(np.arange(1, ROUNDS + 1)))
    grain = UNITS * UNIT * (1 + abs(float(least)))
    place = int(np.argmax(np.where(found > grain, found / allowed, 0)))
    whole = replace(given.method, local_steps=1, stepsize=TAU * given.method.stepsize)
    single = run_from([given], whole, 1, None, 1, exact=True).models[1, 0, 0] == solution
    return compare(
        PL, metric(PL), [Place(found[place], allowed[place], given)],
        (f"{given.describe()}, started at x* with c^1 = 0, {ROUNDS} rounds",
         f"The first round leaves x* = {solution} for exactly {first}; the farthest is "
         f"|x - x*| = {distance.max():.4g} at round {int(distance.argmax())}, and after {ROUNDS} rounds it "
         f"is {distance[-1]:.2g}; F - F* is nearest to its bound after {place + 1}. With tau = 1 the model "
         f"{'stays' if single else 'leaves too'}."), budget, tolerance=1e-9,
    )  # fmt: skip


def zero_sum(budget: SamplingBudget) -> BoundComparison:
    """(17): the mean of the corrections, in fractions with noise; and what doubles leave of it."""
    noisy = line(
        [1, "-1/2", "1/3"], [1, -2, "1/7"], Separable(Fraction(1, 3)), ["-1", "2", "-1"], "three noisy"
    )
    method = FedComposite(Fraction(1, 70), TAU, Fraction(7, 5), 1)
    given = RunExperiment(noisy, method, fractions([0]))
    draws = seeded(given.problem, method, 8, generator(22))
    path = run_from([given], budget.change(method), SHORT, draws, 8, exact=True)
    means = np.add.reduce(path.corrections, axis=2) / Fraction(noisy.smooth.n_clients)
    largest = np.add.reduce(means * means, axis=-1).max()
    sizes = float(abs(path.corrections).max())
    left = [float(3 * long_run(form)[1].max()) for form in ("clients", "compact")]
    return compare(
        ZERO, metric(ZERO), [Place(largest, bound_at(ZERO, n=noisy.smooth.n_clients), None)],
        (f"{noisy.smooth.name}, 8 runs of {SHORT} rounds in fractions, c^1 = 0",
         f"In fractions the mean of the corrections is {largest} in every round (they reach {sizes:.3g}). In "
         f"doubles, full gradients, the largest sum over {LONG} rounds is {left[0]:.2g} in the form of the "
         f"listing, where (17) carries every rounding on, and {left[1]:.2g} in the compact form (2), which "
         "takes the mean away anew."), budget,
    )  # fmt: skip


def long_run(form: str, budget: SamplingBudget | None = None, rounds: int = LONG) -> tuple[Array, Array]:
    """|G| and the size of the mean correction after every round of a long run in doubles."""
    given = replace(experiment(3), start=fractions([7]))
    method = (budget or SamplingBudget()).change(replace(given.method, form=form))
    path = run_from([given], method, rounds, None, 1, exact=False)
    squares = squared_mapping(given.rounded, path.models[:, 0], given.method.effective_stepsize)
    means = np.abs(np.add.reduce(path.corrections[:, 0], axis=1)[:, 0]) / 3
    return np.sqrt(squares), means


def digits(form: str, budget: SamplingBudget) -> BoundComparison:
    """How small the prox-gradient becomes and stays in a long run, beside the rounding of what it is made of.

    In the listing's form every round rounds the server's model once more on its way into all corrections,
    and (17) keeps what is lost: the allowance grows with the rounds. In the compact form it does not.
    """
    given, (sizes, means) = experiment(3), long_run(form, budget)
    # of |x*| / eta~ and the clients' gradients
    unit = UNIT * (1 / float(given.method.effective_stepsize) + 4)
    units = EACH * LONG if form == "clients" else UNITS
    settled = sizes[len(sizes) // 2 :].max()
    reached = int(np.argmax(sizes <= max(2 * settled, unit)))
    fallen = np.log10(sizes[0] / max(settled, UNIT))
    return compare(
        NONCONVEX, "squared_prox_gradient", [Place(settled**2, (units * unit) ** 2, given)],
        (f"{given.describe()}, form={form}, rounds {len(sizes) // 2} to {LONG} in doubles",
         f"|G| falls from {sizes[0]:.3g} by {fallen:.1f} digits in {reached} rounds and then stays at most "
         f"{settled:.2g}, {settled / unit:.2g} roundings of x/eta~ against {units} allowed; the mean of the "
         f"corrections, which moves the point where it rests, ends at {means[-1]:.2g}."), budget,
    )  # fmt: skip


def find(budget: SamplingBudget) -> tuple[BoundComparison, ...]:
    """Nothing is drawn anew."""
    return (
        zero_sum(budget),
        staying(1, False, budget),
        staying(3, True, budget),
        leaving(budget),
        digits("clients", budget),
        digits("compact", budget),
    )


CHECK = EmpiricalCheck(
    (ZERO, ALONE, SETTLED, PL, NONCONVEX), "stopping, zero sum and digits with full gradients", find
)
