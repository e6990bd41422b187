"""All theorems on one problem, beside each other, each under the conditions that hold there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import ModuleType
from typing import Any

from fedproof.bounds import catalog
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.planning.api import guarantees
from fedproof.proof.conditions.instances import COMPARED, INSTANCES, Instance
from fedproof.proof.conditions.table import CONDITIONS
from fedproof.tuning.admitted import taken
from fedproof.tuning.guarantee import Costs, Guarantee
from fedproof.validate.conditions.judged import JudgedInstance, judged
from fedproof.validate.statement_verdict import declared
from fedproof.vocabulary.discovery import paper_modules, read, readable
from fedproof.vocabulary.errors import FedproofError, InputError
from fedproof.vocabulary.result import Result, Table

#: of the problem with w_0 = 3/4, by canonical word: the losses' second derivatives are in [0, 3/2], the
#: gradients at the start are 3/10 and 9/10, and both losses are least, 0, at w = 0
CONSTANTS: Mapping[str, Fraction] = {
    "smoothness_sample": Fraction(3, 2),
    "smoothness": Fraction(3, 2),
    "weak_convexity": Fraction(0),
    "initial_gap": Fraction(1, 4),
    "initial_dissimilarity": Fraction(9, 100),
    "mean_shift_error": Fraction(0),
    "dissimilarity": Fraction(1, 4),
    "dissimilarity_factor": Fraction(559017, 500000),
    "gradient_dissimilarity": Fraction(1, 4),
    "lipschitz_sample": Fraction(3, 2),
    "subgradient_bound": Fraction(0),
}
#: messages cost more than steps, as they do in a network
COSTS = Costs(1e6, 1e6, step_seconds=1e-5, bits_per_value=64, dimension=1, clients=2, samples=1)


@dataclass(frozen=True)
class Row:
    """What one theorem says of the problem.

    Arguments:
        statement: id.
        algorithm: by name.
        conditions: those of the table that its assumptions are.
        fails: those of them that are not proved of the problem; then there are no numbers.
        constants: by canonical word, that it takes.
        letters: at which it is taken, without the rounds.
        rounds: after which its bound is at most the accuracy.
        bound: then.
        metric: what is bounded.
        note: what a careful reader should know, or why there are no numbers.
    """

    statement: str
    algorithm: str
    conditions: tuple[str, ...]
    fails: tuple[str, ...]
    constants: Mapping[str, Fraction]
    letters: Mapping[str, Any]
    rounds: int | None
    bound: float | None
    metric: str
    note: str = ""


@dataclass(frozen=True)
class Compared(Result):
    """All theorems on one problem.

    Arguments:
        problem: two clients' losses, with the conditions that are proved of them.
        accuracy: of the squared gradient, in the mean over the rounds.
        rows: one a theorem, the fewest rounds first.
        elsewhere: by instance of the table and statement, which of its conditions are not proved there.
    """

    problem: Instance
    accuracy: float
    rows: tuple[Row, ...]
    elsewhere: Mapping[str, Mapping[str, tuple[str, ...]]]

    def to_dict(self) -> dict[str, Any]:
        """The problem and the rows."""
        return {
            "losses": [str(loss) for loss in self.problem.losses],
            "accuracy": self.accuracy,
            "rows": [vars(row) for row in self.rows],
            "elsewhere": self.elsewhere,
        }

    def tables(self) -> tuple[Table, ...]:
        """A row a theorem."""
        columns = ("statement", "conditions", "rounds", "note")
        rows = ((r.statement, ", ".join(r.conditions), r.rounds, r.note) for r in self.rows)
        return (Table("Rounds until the bound is at most the accuracy", columns, tuple(rows)),)


def compared(accuracy: float = 0.01) -> Compared:
    """Each theorem that promises a small squared gradient and says how many rounds, on one problem.

    The constants are exact, and the conditions are proved there. Where one that a theorem assumes is not, the
    theorem has no numbers.

    Arguments:
        accuracy: of the squared gradient.

    >>> found = compared(0.1)
    >>> all(row.bound <= 0.1 for row in found.rows)
    True
    """
    others = _others()
    everything = (*(g for g in guarantees() if _compares_here(g, others)), *others)
    here = judged(COMPARED)
    rows = [_row(guarantee, here, accuracy) for guarantee in everything]
    return Compared(
        COMPARED,
        accuracy,
        tuple(sorted(rows, key=lambda row: (row.rounds is None, row.rounds or 0))),
        {
            x.instance.name: {
                g.statement: tuple(c for c in assumed(g.statement) if not _holds(x, c)) for g in everything
            }
            for x in map(judged, (COMPARED, *INSTANCES))
        },
    )


def assumed(id: str) -> tuple[str, ...]:
    """The conditions of the table that a statement's assumptions are.

    >>> assumed("fedproxvr.theorem1")
    ('relative divergence',)
    """
    found = catalog.statement(id)
    known = catalog.assumptions(found.paper)
    return tuple(dict.fromkeys(c for a in found.assumptions if (c := known[a].condition)))


def _others() -> tuple[Guarantee, ...]:
    """Theorems that no plan goes by."""
    known = paper_modules("compares")
    found = readable(known, lambda key: read(known[key], _compares))
    return tuple(g for key in sorted(found) for g in found[key])


def _compares_here(guarantee: Guarantee, others: tuple[Guarantee, ...]) -> bool:
    """Whether a plan's theorem is to be shown: not refuted, of known constants, and not shown already."""
    id = guarantee.statement
    return (
        set(guarantee.needs) <= set(CONSTANTS)
        and declared(catalog.statement(id).paper).get(id) != "refuted"
        and id not in {g.statement for g in others}
    )


def _compares(module: ModuleType) -> tuple[Guarantee, ...]:
    found = module.COMPARES
    if not isinstance(found, tuple) or not all(isinstance(g, Guarantee) for g in found):
        raise InputError("COMPARES", found, "a tuple of Guarantee", "write COMPARES = (...,)")
    return found


def _holds(problem: JudgedInstance, name: str) -> bool:
    return any(c.name == name and problem.keeps(c) for c in CONDITIONS)


def _row(guarantee: Guarantee, problem: JudgedInstance, accuracy: float) -> Row:
    id, conditions = guarantee.statement, assumed(guarantee.statement)
    fails = tuple(name for name in conditions if not _holds(problem, name))
    taken_from = {word: CONSTANTS[word] for word in guarantee.needs}
    metric = str(getattr(catalog.statement(id).claim, "metric", ""))
    row = Row(id, guarantee.algorithm, conditions, fails, taken_from, {}, None, None, metric, guarantee.note)
    if fails:
        return row
    try:
        setting = guarantee.solve({word: float(v) for word, v in taken_from.items()}, accuracy, COSTS)
    except FedproofError as error:
        return replace(row, note=str(error))
    asked = StatementHandle(catalog.statement(id))
    found = asked.check(**taken(asked, setting.letters), **{guarantee.rounds: setting.rounds})
    return replace(row, letters=dict(setting.letters), rounds=setting.rounds, bound=found.bound)
