"""What tuning decides for constants as they are written, not as doubles."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import fedproof as fp
from fedproof.bounds.catalog import statement
from fedproof.tuning.as_written import confirmed, keeps
from fedproof.tuning.tune_result import TuneResult
from fedproof.vocabulary.constant import Constant
from fedproof.vocabulary.errors import InputError

ABOVE = "100000000000000000001/100000000000000000000"
BELOW = "99999999999999999999/100000000000000000000"
HALF_ABOVE = "50000000000000000001/100000000000000000000"
COMPOSITE = {"L": 1, "n": 30, "sigma2": 1, "B_g": 1, "Omega1": 1, "eps": "0.1", "d_smp": "0.001"}
FEDPROX = {"G": 1, "Delta_rho": 1, "epsilon": "0.1"}
FLECS = {"L": 1, "mu2": 1, "n": 50, "sigma2": 0, "gap": 1, "shift2": 1, "eps": "0.1", "d": 100}


@pytest.mark.parametrize(
    ("id", "values", "said"),
    [
        ("composite.theorem3.6.repaired", COMPOSITE | {"mu": ABOVE}, "mu <= L"),
        ("composite.theorem3.6.sharpened", COMPOSITE | {"L": BELOW, "mu": 1}, "mu <= L"),
        ("fedprox.theorem2.explicit", FEDPROX | {"nu": HALF_ABOVE, "rho": 1}, "2 nu rho < 1"),
        ("fedprox.theorem4.general", FEDPROX | {"nu": "1/2", "rho": 1}, "2 nu rho < 1"),
        ("flecs", FLECS | {"mu": ABOVE, "mu1": 1}, "mu: got"),
        ("flecs.theorem5.repaired", FLECS | {"zeta2": 1, "mu1": ABOVE}, "mu1: got"),
        ("flecs.corollary6", FLECS | {"zeta2": 1, "mu1": "1/2"}, "2 mu1 > 1"),
        ("flecs.corollary6.repaired", FLECS | {"zeta2": 1, "mu1": HALF_ABOVE}, "doubles fail 2 mu1 > 1"),
    ],
)
def test_constants_beyond_a_condition_by_less_than_a_double_tells_are_refused(
    id: str, values: dict[str, Any], said: str
) -> None:
    """A condition of constants alone is decided for what was written, however near it lies."""
    with pytest.raises(InputError, match=said):
        fp.tune(id, **values)


@pytest.mark.parametrize(
    ("id", "values", "rounded"),
    [
        ("composite.theorem3.6.repaired", COMPOSITE | {"L": "1/3", "mu": "1/3"}, {"L", "mu", "eps", "d_smp"}),
        ("fedprox", {"L": "1/3", "G": 1, "Delta": 1, "epsilon": "1/8"}, {"L"}),
        ("fedprox", {"L": 1, "G": 1, "Delta": 1, "epsilon": "1/8", "d_com": "1/3"}, {"d_com"}),
        ("fedproxvr", {"L": 1, "lam": "0.5", "sigma2": 0, "gamma": "1e-3"}, {"gamma"}),
        ("fedproxvr", {"L": 1, "lam": "0.5", "sigma2": 0, "gamma": "1/1024"}, set()),
        ("flecs", FLECS | {"mu": "1/3", "mu1": 1, "eps": "1/1024"}, {"mu"}),
    ],
)
def test_an_answer_names_the_constants_that_are_no_doubles(
    id: str, values: dict[str, Any], rounded: set[str]
) -> None:
    """Every paper's answer says of which constants the search took the nearest doubles."""
    found = fp.tune(id, **values)
    assert {*found.rounded} == rounded
    assert ("nearest double" in found.headline()) == bool(rounded)


THIRDS = {"L": "1/3", "G": "1/3", "Delta": "1/3"}


@pytest.mark.parametrize(
    ("id", "statement_id", "values", "accuracy"),
    [
        ("fedprox", "fedprox.theorem1.explicit", THIRDS | {"epsilon": "1/30"}, "1/30"),
        ("fedprox.theorem1.general", "fedprox.theorem1.general", THIRDS | {"epsilon": "1/30"}, "1/30"),
        ("composite", "composite.theorem3.5", COMPOSITE | {"L": "1/3", "eps": "1/3"}, "1/3"),
    ],
)
def test_the_answer_is_admitted_for_the_constants_as_they_were_written(
    id: str, statement_id: str, values: dict[str, Any], accuracy: str
) -> None:
    """With thirds as constants every condition holds exactly, and the bound is at most the accuracy."""
    found, asked = fp.tune(id, **values), fp.statement(statement_id)
    argmin = {name: float(value) for name, value in (found.argmin or {}).items()}
    known = {name: value for name, value in {**values, **argmin}.items() if name in asked.names}
    checked = asked.check(**known)
    assert checked.applicable
    assert keeps(asked.statement.formulas["bound"], checked.values, Constant(Fraction(accuracy)))


def test_nothing_is_certified_where_a_sum_of_constants_is_lost() -> None:
    """An answer whose statement subtracts constants that doubles hardly tell apart is not certified."""
    found = TuneResult("", "", 1.0, {}, 1.0, True, 0.0, (), None, None, None, "")
    asked = statement("flecs.corollary6.repaired")
    near = {"mu1": Constant(Fraction(1, 2) + Fraction(1, 3 * 10**9)), "mu2": Constant(Fraction(1))}
    told = confirmed(found, asked, near)
    assert not told.certified
    assert "Best among doubles only" in told.note
    assert confirmed(found, asked, near | {"mu1": Constant(Fraction(2, 3))}).certified


def test_a_minimiser_that_fails_a_condition_is_not_certified() -> None:
    """What the decimals of an answer do not satisfy is named, and takes the certificate."""
    found = TuneResult("", "", 1.0, {}, 1.0, True, 0.0, (), None, None, None, "")
    told = confirmed(found, statement("fedproxvr.theorem1"), {}, ["mu > lam"])
    assert not told.certified
    assert told.note.endswith("do not satisfy mu > lam.")
