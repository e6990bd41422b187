"""The methods that the kit judges: cases, closed form, right forms and usual mistakes of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from fedproof.testing import cases
from fedproof.testing.cases import Case
from fedproof.testing.closed_forms import proximal, unsquared, variance_reduced
from fedproof.testing.composite import composite
from fedproof.testing.departures import (
    BY_SIZE,
    CURRENT,
    LOCAL,
    NO_PROX,
    NORM,
    PLAIN,
    PROX,
    ROUNDS,
    SERVER,
    Departure,
    Mistake,
    mistake,
    pairs,
)

Model = tuple[Fraction, ...]


@dataclass(frozen=True)
class Method:
    """A method as the kit knows it.

    Arguments:
        name: as on the command line.
        cases: what is asked, the simplest first.
        closed_form: a coordinate of the model after a case's rounds.
        forms: what counts as right, in words, and how it is computed; the first is the method's own.
        mistakes: what is looked for in an implementation that is not right.
        needs: parameters that an implementation must take, by canonical word; alternatives lie together.
        remembers: whether it keeps something from round to round, so that it must run the rounds itself.
    """

    name: str
    cases: tuple[Case, ...]
    closed_form: Callable[[Case, int, Departure], Fraction]
    forms: tuple[tuple[str, Departure], ...]
    mistakes: tuple[Mistake, ...]
    needs: tuple[tuple[str, ...], ...]
    remembers: bool = False

    def answers(self, departure: Departure) -> Iterator[Model]:
        """The model of each case in turn: computed as they are asked for.

        >>> [str(w) for w in next(METHODS["fedavg"].answers(METHODS["fedavg"].forms[0][1]))]
        ['20/9', '-11/12']
        """
        for case in self.cases:
            if departure.idle:
                yield case.start
            elif departure.unsquared:
                yield unsquared(case, departure)
            else:
                yield tuple(self.closed_form(case, axis, departure) for axis in range(len(case.start)))

    def suspects(self) -> Iterator[tuple[Mistake, Departure]]:
        """Every mistake in every right form, then every pair of them, with how it is computed."""
        for several in (self.mistakes, pairs(self.mistakes)):
            for _, right in self.forms:
                for one in several:
                    yield one, one.of(right)


_STEP, _STEPS, _MU = ("stepsize",), ("local_steps",), ("prox_weight",)

_FEDAVG = Method(
    "fedavg", cases.FEDAVG, proximal, (("gradient steps", Departure(form="gradient")),),
    (*LOCAL, *SERVER, *ROUNDS), (_STEP, _STEPS),
)  # fmt: skip

_FEDPROX = Method(
    "fedprox", cases.FEDPROX, proximal,
    (
        ("gradient steps on F_n + (mu / 2) |w - w_s|^2", Departure(form="gradient")),
        ("gradient steps on F_n, each followed by a proximal step", Departure(form="prox")),
        ("the exact minimiser of F_n + (mu / 2) |w - w_s|^2", Departure(form="exact")),
    ),
    (NO_PROX, NORM, *PROX, CURRENT, *LOCAL, *SERVER, *ROUNDS), (_MU,),
)  # fmt: skip


def _fedproxvr(name: str, estimator: str, other: str) -> Method:
    wrong = (
        NO_PROX, *PROX, CURRENT,
        mistake("the proximal term enters by its gradient, not by the proximal step (10)", form="gradient"),
        mistake(f"the estimator is that of {other.upper()}", estimator=other),
        mistake("the directions are plain stochastic gradients, without variance reduction", estimator="sgd"),
        *LOCAL, *SERVER, *ROUNDS,
    )  # fmt: skip
    right = Departure(form="prox", estimator=estimator)
    forms = ((f"{estimator.upper()} directions, proximal steps, the last iterate", right),)
    return Method(name, cases.FEDPROXVR, variance_reduced, forms, wrong, (_STEP, _STEPS, _MU))


_FEDCOMPOSITE = Method(
    "fedcomposite", cases.FEDCOMPOSITE, composite, (("Algorithm 1", Departure(weights="plain")),),
    (
        mistake("the correction is missing", correction=0),
        mistake("the correction has the wrong sign", correction=-1),
        mistake("the correction takes the sum of the local gradients, not their mean", summed=True),
        mistake("the models after the proximal step are averaged (primal), not those before it (dual)",
                averaged="after"),
        mistake("the local proximal steps keep the length eta, instead of (t + 1) eta",
                local_prox="constant"),
        mistake("there are no local proximal steps", local_prox="none"),
        mistake("the local proximal steps leave the step size out", local_prox="weight"),
        mistake("the server's proximal step has the length eta, not eta eta_g tau", server_prox="local"),
        mistake("the server takes no proximal step", server_prox="none"),
        mistake("the server's step size is not used", server_stepsize=False),
        BY_SIZE, *(m for m in (*LOCAL, *SERVER) if m != PLAIN), *ROUNDS,
    ),
    (_STEP, _STEPS, ("server_stepsize",), ("prox", "l1_weight")), remembers=True,
)  # fmt: skip

METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for method in (
            _FEDAVG,
            _FEDPROX,
            _fedproxvr("fedproxvr", "sarah", "svrg"),
            _fedproxvr("fedproxvr_svrg", "svrg", "sarah"),
            _FEDCOMPOSITE,
        )
    }
)
"""By name."""
