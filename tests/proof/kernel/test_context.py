"""What a proof inside of another knows of what was read around it, and what neither learns from the other."""

from __future__ import annotations

import pytest

from fedproof.proof.kernel.context import Context
from fedproof.proof.kernel.polynomials import number, primitive
from fedproof.proof.kernel.relations import reading, sides
from fedproof.proof.kernel.trees import Rejected, Tree

GIVEN: tuple[Tree, ...] = (
    ("<", "0", "x"),
    ("=", "y", ("+", "x", "1")),
    ("all", "k", "1", "n", ("<", "0", ("of", "F", "k"))),
)
KINDS = {"x": "real", "y": "real", "n": "whole", "F": "real(whole)"}
DIVIDED: Tree = ("<=", ("^", ("of", "F", "i"), "-1"), "y")


def around() -> Context:
    """A context whose lines were read, names by equations too."""
    here = Context(KINDS, GIVEN, (), {})
    for equal in ((), (1,)):
        forms = here.forms(equal)
        for line in GIVEN[:2]:
            sides(forms, line)
        _, needs = reading(forms, lambda forms=forms: forms.number(("^", "x", "-1")))
        here.defined(equal, needs)
    return here


@pytest.mark.parametrize("equal", [(), (1,)])
def test_what_was_read_around_is_read_the_same_inside(equal: tuple[int, ...]) -> None:
    """A proof inside has the normal forms of one that reads everything anew."""
    inner = around().inside({"i": "whole"}, ("<", "0", ("of", "F", "i")))
    anew = Context(inner.kinds, inner.lines, (), {})
    for line in (*GIVEN[:2], DIVIDED):
        one, other = (here.forms(equal) for here in (inner, anew))
        (_, gap), needs = reading(one, lambda one=one, line=line: sides(one, line))
        (_, new), more = reading(other, lambda other=other, line=line: sides(other, line))
        assert len(gap.above) == len(new.above)
        assert len(needs) == len(more)
        inner.defined(equal, needs)
        anew.defined(equal, more)


def test_a_name_of_a_proof_inside_is_none_around_it() -> None:
    """What was read inside declares nothing outside, nor in another proof beside it."""
    here = around()
    inner = here.inside({"i": "whole"})
    inner.forms().number(("of", "F", "i"))
    for other in (here, here.inside({"j": "whole"}), here.branch()):
        with pytest.raises(Rejected, match="i is not declared"):
            other.forms().number(("of", "F", "i"))


def test_what_is_said_later_around_is_not_known_inside() -> None:
    """A proof inside goes by the lines that were there when it began."""
    here = around()
    inner = here.inside({"i": "whole"})
    here.lines.append(("!=", ("+", "x", "n"), "0"))
    _, needs = reading(here.forms(), lambda: here.forms().number(("^", ("+", "x", "n"), "-1")))
    here.defined((), needs)
    _, needs = reading(inner.forms(), lambda: inner.forms().number(("^", ("+", "x", "n"), "-1")))
    with pytest.raises(Rejected, match="nonzero"):
        inner.defined((), needs)


def test_what_is_granted_inside_is_not_known_around() -> None:
    """What a case or an index grants stays in its proof."""
    here = around()
    inner = here.inside({}, ("<", "0", ("+", "n", "x")))
    for other, known in ((inner, True), (here, False), (here.branch(), False)):
        _, needs = reading(other.forms(), lambda o=other: o.forms().number(("^", ("+", "n", "x"), "-1")))
        if known:
            other.defined((), needs)
        else:
            with pytest.raises(Rejected, match="nonzero"):
                other.defined((), needs)


def test_factors_are_told_apart_by_their_numbers() -> None:
    """Polynomials with the same monomials are found together and are one only where the numbers are."""
    one, same, other = (
        primitive({((0, 1),): number(p), ((1, 1),): number(q)})[2] for p, q in ((1, 2), (2, 4), (1, 3))
    )
    assert one == same
    assert one != other
    assert len({one: 1, same: 2, other: 3}) == 2
