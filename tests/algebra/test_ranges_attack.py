"""The range engine attacked: degenerate systems, and random ones decided again by an independent solver."""

from __future__ import annotations

import random
import time
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

import fedproof as fp
from fedproof.algebra.polynomials import key_of
from fedproof.algebra.projection.witness import witness
from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.ranges.result import Range
from fedproof.algebra.ranges.root_text import text
from fedproof.algebra.reading import compile_tree
from fedproof.algebra.regions.monotonicity import Shape, rooted_key
from fedproof.algebra.regions.region import STRICT, Region
from fedproof.algebra.roots import enclosure, isolate
from fedproof.proof.engines.engine_process import EngineProcess
from fedproof.proof.engines.smtlib import refutation
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import NONNEGATIVE, POSITIVE, REAL, UNIT, Interval
from tests.algebra.conditions_fedproxvr import DOMAINS, SVRG, Row, values
from tests.algebra.test_ranges_free import answer, ends, member, x, y, z

w = sp.Symbol("w", real=True)


def equal(a: Any, b: Any) -> Any:
    """An equation that stays one."""
    return sp.Eq(a, b, evaluate=False)


@pytest.mark.parametrize(
    ("relations", "domains", "expected"),
    [
        ([y**2 <= 0, equal(y * z + x, 0)], {}, ["[0, 0]"]),  # y z + x vanishes identically at x = y = 0
        ([y**2 <= 0, y * z >= x**2], {}, ["[0, 0]"]),
        ([y**2 <= 0, equal(y * z + x, 1)], {}, ["[1, 1]"]),  # the same, without a change of units
        ([y**2 <= 0, y * z >= (x - 1) ** 2], {}, ["[1, 1]"]),
        ([equal(1 - x, 1), 2 * x * y > 0], {"x": NONNEGATIVE}, []),  # x > 0 from the second, x = 0 kept
        ([3 * y > 3 * x * y, 3 * x**2 + 3 * x * y >= 0, y <= -1], {}, ["(1, None)"]),  # x > 1, not x >= 1
        ([equal(3 * x * z, 1), equal(2 * x * y - 2 * x - 3, 1), 6 * x * z < 3 * y], {"y": POSITIVE},
         ["(None, -6)", "(0, None)"]),  # y = 1 + 2/x > 2/3
        ([equal(x**2, 2), equal(y**2 + z**2, 1)], {}, ["[-sqrt(2), -sqrt(2)]", "[sqrt(2), sqrt(2)]"]),
        ([x > 1, equal(y**2 + z**2, -1)], {}, []),
        ([x * y * z >= 1, x * y**2 <= 4], {"x": NONNEGATIVE}, ["(0, None)"]),
    ],
)  # fmt: skip
def test_degenerate_systems(relations: list[Any], domains: dict[str, Interval], expected: list[str]) -> None:
    """Feasible sets of low dimension, and equations beside what the other conditions say."""
    assert [e.replace("None]", "None)") for e in ends(answer(relations, **domains))] == expected


@pytest.mark.parametrize(
    "relations",
    [
        [y**4 + y**2 * w**2 <= 0, y * z + w * y >= (x - 1) ** 2],
        [(x**2 - 2) ** 2 + y**2 + z**2 <= 0],
    ],
)
def test_nothing_is_said_where_nothing_is_proved(relations: list[Any]) -> None:
    """A polynomial that may vanish along a curve, and an irrational point not decided, are refused."""
    with pytest.raises(InputError, match="add a value for"):
        answer(relations, w=REAL)


def test_a_sign_said_of_one_root_says_nothing_of_another() -> None:
    """sqrt(y) - 1 > 0 tells the sign of its multiples, not that of sqrt(x) - 1, which looks the same."""
    plain = Shape(Region(("x", "y"), {"x": POSITIVE, "y": POSITIVE}))
    folded = plain.folded(compile_tree(sp.sqrt(y) - 1))
    shape = Shape(plain.region, {rooted_key(folded.value.top, folded): STRICT})
    assert key_of(folded.value.top) == key_of(plain.folded(compile_tree(sp.sqrt(x) - 1)).value.top)
    assert shape.sign(compile_tree((sp.sqrt(y) - 1) * x)) == STRICT
    assert shape.defined(compile_tree(1 / (x * (sp.sqrt(y) - 1))))
    assert shape.sign(compile_tree(sp.sqrt(x) - 1)) is None


def test_a_witness_satisfies_everything() -> None:
    """The point found lies in the domains and satisfies the conditions; without one the answer is None."""
    from fedproof.algebra.regions.atoms import atoms_of
    from fedproof.algebra.regions.clauses import clauses_of

    rows = [Row("a", x * y >= 100), Row("b", y < 1), Row("c", equal(z, 0))]
    found = witness(atoms_of(clauses_of(rows)), ["x", "y", "z"], {"x": POSITIVE, "y": UNIT})
    assert found is not None
    assert found["x"] * found["y"] >= 100
    assert 0 < found["y"] < 1
    assert found["z"] == Fraction(0)
    assert witness(atoms_of(clauses_of([Row("a", x**2 < 0)])), ["x"], {}) is None


@pytest.mark.parametrize("id", ["fedproxvr.corollary1", "fedproxvr.certified.svrg"])
def test_statements_with_nothing_given(id: str) -> None:
    """Rounds, gap and accuracy range over everything; Theta is positive at theta = 0 below 2^(-1/2)."""
    handle = fp.statement(id)
    for name in ("T", "eps"):
        assert ends(handle.range(name)) == ["(0, None)"]
    for name in ("Delta", "lam"):
        assert ends(handle.range(name)) == ["[0, None)"]
    if "theta" in handle.names:
        assert ends(handle.range("theta")) == ["(0, sqrt(2)/2)"]


def test_an_empty_range_says_what_excludes_what() -> None:
    """With one symbol left out, what each condition needs of it; without a second condition, whose it is."""
    given = values(theta="1/2", L=1, lam="1/2", mu=30)
    found = admissible(SVRG, "beta", given, DOMAINS)
    assert found.conflict == ("lower", "upper")
    # beta = 16: 3 (16^2 + 30^2) * 4/(29.5 * 13) = 36.172...
    assert found.why is not None
    assert found.why.startswith("at beta = 16, for example, lower needs tau in [36.1721, inf) while upper")
    lone = answer([sp.Le(x**2 + y**2 + z**2, -1, evaluate=False)])
    assert (lone.why, lone.conflict) == ("a holds for no x, y, z", ("a",))
    pair = answer([y > x, x > z, z > y])
    assert pair.why == "a, b and c exclude each other for every x, y, z"


def test_conflicting_conditions_exclude_everything_by_themselves() -> None:
    """What a condition says through another one is not put on its account: the set named is empty alone."""
    found = admissible(SVRG, "beta", values(tau=2), DOMAINS)
    rows = [r for r in SVRG if r.label in found.conflict]
    assert admissible(rows, "beta", values(tau=2), DOMAINS).empty
    assert len(found.conflict) > 1


def test_numbers_of_five_hundred_digits_are_answered_in_time() -> None:
    """A rejected point with long fractions gets its nearest values; a longer one is told that it does not."""
    handle = fp.statement("fedproxvr.lemma1.sarah")
    size = 10**499
    point: dict[str, Any] = {
        "L": Fraction(size + 7, size), "lam": Fraction(size // 2 + 9, size),
        "mu": Fraction(30 * size + 1, size), "beta": Fraction(20 * size + 3, size),
        "theta": Fraction(size // 2 + 1, size), "tau": 2,
    }  # fmt: skip
    start = time.perf_counter()
    check = handle.check(**point)
    assert check.nearest is not None
    assert check.nearest.coordinates
    check.to_dict()
    assert time.perf_counter() - start < 8  # measured: below 0.2 s
    longer = handle.check(**{**point, "theta": Fraction(size**2 // 2 + 1, size**2)}).nearest
    assert longer is not None
    assert longer.coordinates == ()
    assert "nearest values not looked for" in longer.headline()


def test_long_numbers_are_described() -> None:
    """An irrational end with large coefficients is not factored, and larger ones are not printed."""
    import flint

    prime = 2**127 - 1
    root = isolate([flint.fmpz_poly([-prime * (2**89 - 1) * 4, 0, 1])])[1]
    assert text(root, "x") == f"2*sqrt({prime * (2**89 - 1)})"
    assert "coefficients of 3001 bits" in text(isolate([flint.fmpz_poly([-(2**3001) + 1, 0, 1])])[1], "x")
    assert "3001 bits" in text(Fraction(2**3001 - 1, 2), "x")


SYMBOLS = (x, y, z, w)
SPACES = (REAL, REAL, NONNEGATIVE, POSITIVE, UNIT)


def monomial(rng: random.Random, symbols: Any) -> Any:
    """A product of up to two symbols."""
    return sp.Mul(*[rng.choice(symbols) for _ in range(rng.randint(0, 2))])


def polynomial(rng: random.Random, symbols: Any) -> Any:
    """Up to three small terms."""
    return sp.Add(
        *[rng.choice([-3, -2, -1, 1, 2, 3]) * monomial(rng, symbols) for _ in range(rng.randint(1, 3))]
    )


def condition(rng: random.Random, symbols: Any) -> Any:
    """A square that must vanish, an equation, a product with a repeated factor, or an inequality."""
    kind = rng.random()
    if kind < 0.25:
        return sp.Le(polynomial(rng, symbols[1:]) ** 2, 0, evaluate=False)
    if kind < 0.45:
        return equal(polynomial(rng, symbols), rng.choice([0, 1, 2]))
    if kind < 0.6:
        common = polynomial(rng, symbols)
        return sp.Le(sp.expand(common**2 * polynomial(rng, symbols)), 0, evaluate=False)
    return rng.choice([sp.Le, sp.Lt, sp.Ge, sp.Gt])(polynomial(rng, symbols), 0, evaluate=False)


def said(rows: list[Any], domains: dict[str, Interval], at: Fraction, solver: EngineProcess) -> str:
    """What the other solver says of the conditions and domains at a target."""
    ends = [
        kind(sp.Rational(end) * sign, sp.Symbol(name, real=True) * sign, evaluate=False)
        for name, d in domains.items() for end, is_open, sign in ((d.lo, d.lo_open, 1), (d.hi, d.hi_open, -1))
        if end is not None for kind in (sp.Lt if is_open else sp.Le,)
    ]  # fmt: skip
    return solver.ask(refutation([*rows, *ends, equal(x, sp.Rational(at))], sp.false), 10**6)


def probes(found: Range) -> list[Fraction]:
    """Rational targets: a few fixed ones, rational ends, and points just beside all ends."""
    out = {Fraction(k, 2) for k in range(-4, 5)} | {Fraction(-1000), Fraction(1000)}
    for end in (e for s in found.stretches for e in (s.lo, s.hi) if e is not None):
        low, high = enclosure(end)
        out |= {low - Fraction(1, 10**6), high + Fraction(1, 10**6)}
        out |= {end} if isinstance(end, Fraction) else set()
    return sorted(out)


@pytest.mark.parametrize("seed", range(8))
def test_random_systems_agree_with_an_independent_solver(seed: int) -> None:
    """Rational targets inside are satisfiable, targets outside are not, next to the ends and elsewhere."""
    rng, solver = random.Random(seed), EngineProcess("z3")
    asked = decided = 0
    while asked < 6:
        symbols = SYMBOLS[: rng.choice([2, 3, 3, 4])]
        rows = [condition(rng, symbols) for _ in range(rng.randint(2, 3))]
        domains = {s.name: rng.choice(SPACES) for s in symbols}
        if not any(r.has(x) for r in rows):
            continue
        asked += 1
        try:
            found = admissible([Row(f"c{i}", r) for i, r in enumerate(rows)], "x", {}, domains)
        except InputError:
            continue
        for at in probes(found):
            inside = member(found, at)
            if found.method != "exact" and not inside:
                continue
            verdict = said(rows, domains, at, solver)
            assert verdict == ("sat" if inside else "unsat") or "unknown" in verdict, (rows, domains, at)
            decided += "unknown" not in verdict
    assert decided > 20


def test_an_open_end_of_a_domain_is_not_taken_for_a_value() -> None:
    """16 x^2 y^2 + z^4 <= 0 with y > 0 leaves x = 0 alone, though y may come as near to 0 as it likes."""
    rows = [y < 1, equal(-2 * w * y - 2 * y, 2), x**4 + x**2 <= 1, 16 * x**2 * y**2 + z**4 <= 0]
    try:
        found = answer(rows, x=NONNEGATIVE, y=UNIT, w=REAL)
    except InputError:
        return
    assert not member(found, Fraction(1, 2))


def test_common_components_are_split_off() -> None:
    """Polynomials left unfactored are made coprime, so that no resultant vanishes identically."""
    import flint

    from fedproof.algebra.projection.projection_polynomials import coprime

    u, v = flint.fmpz_mpoly_ctx.get(("x", "y"), "lex").gens()
    found = coprime([(u - v) * (u + v), (u - v) * (v + 2), u * (v + 2)])
    assert {str(p if p.coeffs()[0] > 0 else -p) for p in found} == {"x - y", "x + y", "y + 2", "x"}
