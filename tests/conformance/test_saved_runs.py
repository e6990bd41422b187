"""What every paper says of logs: whole, and of each statement a log that has everything gets its bound."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import sympy as sp

from fedproof.bounds import catalog
from fedproof.bounds.claims import Bound
from fedproof.bounds.statement import Statement
from fedproof.bounds.statement_handle import StatementHandle
from fedproof.proof.counterexamples import feasible_point
from fedproof.solvers.catalog import algorithm_class, algorithm_names
from fedproof.validate.history import check_history
from fedproof.validate.logs.readings import READINGS
from fedproof.validate.logs.saved_runs import SavedRuns, every_spec

ROUNDS = 3


def pairs() -> list[tuple[str, SavedRuns]]:
    """Every statement that a log can be held against, with what says how."""
    return [(id, spec) for spec in every_spec() for id in spec.ids]


def test_every_bound_that_a_log_can_show_is_held_against_logs() -> None:
    """A bound on a metric that columns show stands in one `SavedRuns` an algorithm, with a reading."""
    known = dict(pairs())
    own = {spec.algorithm: {metric for s in every_spec() for metric in s.readings} for spec in every_spec()}
    readable = set().union(*own.values()) | set(READINGS)
    bounds = [s for id in catalog.statement_ids() if isinstance((s := catalog.statement(id)).claim, Bound)]
    shown = {s.id for s in bounds if s.claim.metric in readable}  # type: ignore[union-attr]

    assert shown == set(known)
    assert len({(id, spec.algorithm) for id, spec in pairs()}) == len(pairs()) >= 50
    for id, spec in known.items():
        claim = catalog.statement(id).claim
        assert isinstance(claim, Bound)
        assert spec.reading(claim.metric) is not None


def test_a_log_of_every_algorithm_is_answered() -> None:
    """Each algorithm gets one row; one of which no theorem speaks is told of which it does."""
    spoken = {spec.algorithm for spec in every_spec()}
    columns = {spec.reading(catalog.statement(id).claim.metric).column for id, spec in pairs()}  # type: ignore[union-attr]
    series = {name: [1.0] * (ROUNDS + 1) for name in columns}
    frame = pd.DataFrame({"round": range(ROUNDS + 1), **series})

    assert spoken < set(algorithm_names())
    for name in algorithm_names():
        (row,) = check_history(frame, (), {"algorithm": name})
        said = "write it under" if name in spoken else f"not of {name}"
        assert (row.applies, row.bound) == (False, None)
        assert said in row.detail


def test_algorithms_and_their_parameters_exist() -> None:
    """An algorithm can be run, what tells its statements apart and what is printed are its parameters."""
    for spec in every_spec():
        fields = algorithm_class(spec.algorithm).__dataclass_fields__
        assert {*spec.printed, *filter(None, [spec.parameter])} <= {*fields}
        assert {"", *getattr(algorithm_class(spec.algorithm), "choices", {}).get(spec.parameter, ())} >= {
            *spec.statements
        }


def test_every_choice_of_an_algorithm_is_looked_at() -> None:
    """Of a choice or a part the statements fix the value, its bias at least, or hold for every one of it."""
    for spec in every_spec():
        method = algorithm_class(spec.algorithm)
        has = {*getattr(method, "choices", ()), *getattr(method, "parts", ())}
        assert has <= {spec.parameter, *spec.printed, *spec.unbiased, *spec.free}, spec.algorithm
        assert {*spec.unbiased, *spec.free} <= has


def admissible(st: Statement, spec: SavedRuns) -> dict[str, Fraction] | None:
    """Letters at which the conditions hold, the rounds being three; None where none were found."""
    rounds = {x.symbol: sp.Integer(ROUNDS) for x in st.letters if x.means == "rounds"}
    fixed = {x.symbol: sp.Rational(v) for x in st.letters for w, v in spec.fixed.items() if x.means == w}
    known = rounds | fixed
    relations = [r for c in st.admissible if (r := sp.sympify(c.relation.xreplace(known).doit())) != sp.true]
    asked = {*st.needed, *st.formulas["bound"].names}
    here = [x for x in st.letters if x.name in asked and x.symbol not in known]
    inside = [x.symbol > 0 for x in here] + [x.symbol <= x.domain.hi for x in here if x.domain.hi is not None]
    inside += [x.symbol >= x.domain.lo for x in here if x.domain.lo]
    if sp.false in relations:
        return None
    found = feasible_point([*relations, *inside])
    return None if found is None else {str(n): Fraction(str(v)) for n, v in {**found, **fixed}.items()}


def test_of_every_statement_a_log_with_everything_gets_its_bound() -> None:
    """At admissible numbers, written by letter, a log of three rounds is judged with the bound of `check`."""
    judged = 0
    for id, spec in pairs():
        st = catalog.statement(id)
        letters = admissible(st, spec)
        if letters is None:
            continue
        reading = spec.reading(st.claim.metric)  # type: ignore[union-attr]
        assert reading is not None
        rounds = {x.name: ROUNDS for x in st.letters if x.means == "rounds"}
        bound = StatementHandle(st).check(**letters, **rounds).bound
        frame = pd.DataFrame({"round": range(ROUNDS + 1), reading.column: [1.0] * (ROUNDS + 1)})
        header = {"algorithm": spec.algorithm, "constants": {n: str(v) for n, v in letters.items()}}
        (row,) = check_history(frame, [id], header)

        assert (row.applies, row.bound, row.measured) == (True, bound, 1.0), row.detail
        judged += 1
    assert judged == len(pairs())
