"""Monomials as whole numbers: what is asked of their bits is what their exponents say."""

from __future__ import annotations

from itertools import product

from fedproof.proof.certify.facts import Known
from fedproof.proof.certify.space import Space
from fedproof.proof.kernel.forms import Forms

#: known to be > 0, known to be >= 0, of unknown sign, and a root that is known to be >= 0
NAMES = ("positive", "least", "any")


def spaced(signed: bool = True) -> tuple[Space, Known]:
    """A space of three names and a root."""
    forms = Forms(dict.fromkeys(NAMES, "real"))
    places = [next(a for m in forms.number(n).above for a, _ in m) for n in NAMES]
    root = next(a for m in forms.number(("^", "any", "1/2")).above for a, _ in m)
    known = Known(above={places[0]: 0}, least={places[0]: 0, places[1]: 0, root: 0})
    return Space(forms, known, [*places, root], signed), known


def test_signs_divisors_and_halves_of_monomials() -> None:
    """For all exponents from -3 to 3, by the exponents one by one."""
    space, known = spaced()
    for exponents in product(range(-3, 4), repeat=4):
        m = tuple((a, e) for a, e in zip(space.atoms, exponents, strict=True) if e)
        code = space.code(m)

        assert space.monomial(code) == m
        assert space.sign(code) == (2 if known.positive(m) else 1 if known.definite(m) else 0)
        divides = all(e >= 0 or (a in known.above and i not in space.roots) for i, (a, e) in enumerate(
            zip(space.atoms, exponents, strict=True)))  # fmt: skip
        assert space.multiplier(code, True) == divides
        assert space.multiplier(code, False) == (divides and known.definite(m))
        odd = tuple((a, 1) for a, e in m if e % 2)
        halved = tuple((a, e // 2) for a, e in m if e // 2)
        whole = all(e > 0 or a in known.above for a, e in m) and known.definite(odd)
        assert space.half(code) == ((space.code(odd), space.code(halved)) if whole else None)


def test_where_an_equation_is_asked_for_no_monomial_has_a_sign() -> None:
    """Then every multiplier is free, and nothing else is."""
    space, _ = spaced(signed=False)
    code = space.code(((space.atoms[0], 2),))

    assert space.sign(code) == 0
    assert (space.multiplier(code, True), space.multiplier(code, False)) == (True, False)
