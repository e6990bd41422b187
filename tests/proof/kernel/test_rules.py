"""Every rule of the kernel: what it must accept, and beside it the nearest thing it must not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fedproof.proof.kernel.judgement import Judgement, checked, strings
from fedproof.proof.kernel.trees import Rejected, as_json, substitute

NAMES = {
    "x": "real", "y": "real", "z": "real", "n": "whole", "k": "whole", "u": "vector", "v": "vector",
    "F": "real(whole)", "G": "real(whole)", "f": "real(vector)",
}  # fmt: skip
NEG = ("neg",)
EXACT = ("combine", (("1", NEG),), ())


def judged(given: Any, claim: Any, *lines: Any, known: Any = None, names: Any = None) -> Judgement:
    """What the kernel makes of hypotheses, a claim and lines; the hypotheses are the first lines."""
    first = [(g, ("given", i)) for i, g in enumerate(given)]
    said = set(strings((tuple(first), claim, tuple(lines))))
    own = {n: k for n, k in NAMES.items() if n in said}
    document = {
        "id": "step", "names": own if names is None else names, "given":
            [{"is": as_json(g), "from": {"kind": "own"}} for g in given],
        "claim": as_json(claim), "lines": as_json((*first, *lines)),
        "uses": sorted({by[1] for _, by in lines if by[0] == "use"}),
    }  # fmt: skip
    return checked(document, known or {})


def by(*terms: Any, equal: Any = ()) -> Any:
    """The rule of products: terms are a coefficient and factors."""
    return ("combine", tuple((t[0], tuple(t[1:])) for t in terms), tuple(equal))


def LE(a: Any, b: Any) -> Any:
    """a <= b."""
    return ("<=", a, b)


def LT(a: Any, b: Any) -> Any:
    """a < b."""
    return ("<", a, b)


def EQ(a: Any, b: Any) -> Any:
    """a = b."""
    return ("=", a, b)


def ALL(body: Any, lo: str = "1", hi: Any = "n") -> Any:
    """A relation for every i from lo to hi."""
    return ("all", "i", lo, hi, body)


def SUM(body: Any, lo: str = "1", hi: str = "n") -> Any:
    """The sum over i from lo to hi."""
    return ("sum", "i", lo, hi, body)


FI, GI = ("of", "F", "i"), ("of", "G", "i")
INVERSE = ("^", "x", "-1")
ROOT = ("^", "x", "1/2")
YOUNG = LE(("*", "x", "y"), ("*", "1/2", ("+", ("^", "x", "2"), ("^", "y", "2"))))
USED = judged((LE("x", "y"),), LE(("+", "x", "1"), ("+", "y", "1")),
              (LE(("+", "x", "1"), ("+", "y", "1")), by(("1", "neg"), ("1", 0))))  # fmt: skip
WHOLE = judged((LT("0", "n"),), LE("1", "n"), (LE(("+", "0", "1"), "n"), ("next", 0)),
               (LE("1", "n"), by(("1", "neg"), ("1", 1))))  # fmt: skip
KNOWN = {"used": USED, "whole": WHOLE}
SHIFTED = LE(("+", "z", "1"), ("+", "x", "1"))

#: name -> hypotheses, claim, lines after the hypotheses
TRUE: dict[str, Any] = {
    "a square": ((), YOUNG, [(YOUNG, by(("1", "neg"), ("1/2", ("sq", ("+", "x", ("*", "-1", "y"))))))]),
    "a quotient": ((("!=", "x", "0"),), EQ(("*", "x", INVERSE), "1"),
        [(EQ(("*", "x", INVERSE), "1"), EXACT)]),
    "a root": ((LE("0", "x"),), EQ(("^", ROOT, "2"), "x"), [(EQ(("^", ROOT, "2"), "x"), EXACT)]),
    "a root of a square": ((), EQ(("^", ("^", "x", "2"), "1/2"), ("abs", "x")),
                           [(EQ(("^", ("^", "x", "2"), "1/2"), ("abs", "x")), EXACT)]),
    "a contradiction": ((LE("x", "0"), LT("0", "x")), LE("1", "0"), [(LE("1", "0"), by(("1", 0), ("1", 1)))]),
    "an equation read": ((EQ("x", "y"),), EQ(("^", "x", "2"), ("^", "y", "2")),
                         [(EQ(("^", "x", "2"), ("^", "y", "2")), by(("1", "neg"), equal=(0,)))]),
    "a step used": ((LE("z", "x"),), SHIFTED, [(SHIFTED, ("use", "used", (("x", "z"), ("y", "x")), (0,)))]),
    "a sum": ((ALL(LE(FI, GI)), LE("1", ("+", "n", "1"))), LE(SUM(FI), SUM(GI)),
              [(LE(SUM(FI), SUM(GI)), ("total", 0, 1))]),
    "one index": ((ALL(LE(FI, GI)), LE("1", "2"), LE("2", "n")), LE(("of", "F", "2"), ("of", "G", "2")),
                  [(LE(("of", "F", "2"), ("of", "G", "2")), ("instance", 0, "2", (1, 2)))]),
    "every vector": ((("every", "w", "vector", LE("0", ("of", "f", "w"))),),
        LE("0", ("of", "f", ("*", "2", "u"))),
                     [(LE("0", ("of", "f", ("*", "2", "u"))), ("instance", 0, ("*", "2", "u")))]),
    "for every vector": ((), ("every", "w", "vector", LE("0", ("n2", "w"))),
        [(("every", "w", "vector", LE("0", ("n2", "w"))), ("every", (
            (LE("0", ("n2", "w")), by(("1", "neg"), ("1", ("n2", "w")))),)))]),
    "the next whole number": ((LT("k", "n"),), LE(("+", "k", "1"), "n"),
                              [(LE(("+", "k", "1"), "n"), ("next", 0))]),
    "cases": ((), LE("0", ("abs", "x")), [(LE("0", ("abs", "x")), (
        "split", LE("0", "x"), ((LE("0", ("abs", "x")),
            by(("1", "neg"), ("1", ("root", ("^", "x", "2"), "2")))),),
        ((LE("0", ("abs", "x")), by(("1", "neg"), ("1", ("root", ("^", "x", "2"), "2")))),)))]),
    "induction": ((EQ(("of", "F", "0"), "0"), ALL(EQ(("of", "F", ("+", "i", "1")), ("of", "F", "i")), "0",
        ("+", "n", "-1"))),
                  ALL(EQ(FI, "0"), "0", "n"),
                  [(ALL(EQ(FI, "0"), "0", "n"), ("induction", 0, (
                      (EQ(("of", "F", ("+", "i", "1")), ("of", "F", "i")), ("instance", 1, "i", (2, 3))),
                      (EQ(("of", "F", ("+", "i", "1")), "0"), by(("1", "neg"), ("1", 4), ("1", 5))))))]),
    "constants": ((), LT(("exp", "1/8"), "6/5"), [(LT(("exp", "1/8"), "6/5"), ("constants",))]),
    "Cauchy and Schwarz": ((), LE(("^", ("ip", "u", "v"), "2"), ("*", ("n2", "u"), ("n2", "v"))),
                           [(LE(("^", ("ip", "u", "v"), "2"), ("*", ("n2", "u"), ("n2", "v"))),
                             by(("1", "neg"), ("1", ("gram", "u", "v"))))]),
    "an equation of vectors": ((EQ("u", ("*", "2", "v")),), EQ(("n2", "u"), ("*", "4", ("n2", "v"))),
                               [(EQ(("n2", "u"), ("*", "4", ("n2", "v"))), by(("1", "neg"), equal=(0,)))]),
    "an equation of numbers times a vector": ((EQ("x", "y"),), EQ(("*", "x", "u"), ("*", "y", "u")),
                                              [(EQ(("*", "x", "u"), ("*", "y", "u")),
                                                ("vectors", "1", (("u", 0),), ()))]),
    "a sum without terms": ((), EQ(SUM(FI, "1", "0"), "0"), [(EQ(SUM(FI, "1", "0"), "0"), EXACT)]),
}  # fmt: skip

#: name -> the same of what is false, or does not follow
FALSE: dict[str, Any] = {
    "a square with the wrong sign": ((), YOUNG,
        [(YOUNG, by(("1", "neg"), ("-1/2", ("sq", ("+", "x", "y")))))]),
    "a quotient by what may be 0": ((), EQ(("*", "x", INVERSE), "1"),
        [(EQ(("*", "x", INVERSE), "1"), EXACT)]),
    "a root of what may be negative": ((), EQ(("^", ROOT, "2"), "x"), [(EQ(("^", ROOT, "2"), "x"), EXACT)]),
    "the root of a square": ((), EQ(("^", ("^", "x", "2"), "1/2"), "x"),
                             [(EQ(("^", ("^", "x", "2"), "1/2"), "x"), EXACT)]),
    "no positive product": ((LE("0", "x"),), LT("0", "x"), [(LT("0", "x"), by(("1", "neg"), ("1", 0)))]),
    "an equation from two products": ((LE("0", "x"),), EQ("x", "0"),
        [(EQ("x", "0"), by(("1", "neg"), ("1", 0)))]),
    "a factor of any sign": ((LE("x", "0"),), LE("x", "-1"),
        [(LE("x", "-1"), by(("1", "neg"), ("1", ("*", "x"))))]),
    "a line that is no equation read": ((LE("x", "y"),), LE("y", "x"),
        [(LE("y", "x"), by(("1", "neg"), equal=(0,)))]),
    "a later line": ((), LE("1", "0"), [(LE("1", "0"), by(("1", "neg"), ("1", 0)))]),
    "a negative line number": ((LE("x", "y"),), LE("x", "y"), [(LE("x", "y"), by(("1", "neg"), ("1", -1)))]),
    "a hypothesis that is another": ((LE("x", "y"),), LE("y", "x"), [(LE("y", "x"), ("given", 0))]),
    "a debt unpaid": ((LE("x", "z"),), SHIFTED, [(SHIFTED, ("use", "used", (("x", "z"), ("y", "x")), (0,)))]),
    "no debts": ((), SHIFTED, [(SHIFTED, ("use", "used", (("x", "z"), ("y", "x")), ()))]),
    "a real number for a whole one": ((LT("0", "x"),), LE("1", "x"),
                                      [(LE("1", "x"), ("use", "whole", (("n", "x"),), (0,)))]),
    "half of a whole number": ((LT("0", ("*", "1/2", "n")),), LE("1", ("*", "1/2", "n")),
                               [(LE("1", ("*", "1/2", "n")),
                                   ("use", "whole", (("n", ("*", "1/2", "n")),), (0,)))]),
    "a vector for a number": ((LE("u", "x"),), LE(("+", "u", "1"), ("+", "x", "1")),
                              [(LE(("+", "u", "1"), ("+", "x", "1")),
                                  ("use", "used", (("x", "u"), ("y", "x")), (0,)))]),
    "a sum that may be too short": ((ALL(LE(FI, GI)), LE("1", "n")), LE(SUM(FI), SUM(GI)),
                                    [(LE(SUM(FI), SUM(GI)), ("total", 0, 1))]),
    "a sum with another end": ((ALL(LE(FI, GI)), LE("1", ("+", "n", "1"))), LE(SUM(FI, "0"), SUM(GI, "0")),
                               [(LE(SUM(FI, "0"), SUM(GI, "0")), ("total", 0, 1))]),
    "an index out of range": ((ALL(LE(FI, GI)), LE("1", "2")), LE(("of", "F", "2"), ("of", "G", "2")),
                              [(LE(("of", "F", "2"), ("of", "G", "2")), ("instance", 0, "2", (1, 1)))]),
    "a place between whole numbers": (
        (ALL(LE(FI, GI)), LE("1", "3/2"), LE("3/2", "n")), LE(("of", "F", "3/2"), ("of", "G", "3/2")),
        [(LE(("of", "F", "3/2"), ("of", "G", "3/2")), ("instance", 0, "3/2", (1, 2)))]),
    "the next of a real number": ((LT("x", "y"),), LE(("+", "x", "1"), "y"),
        [(LE(("+", "x", "1"), "y"), ("next", 0))]),
    "a fact of an empty range": ((ALL(LT("0", "x")),), EQ(INVERSE, INVERSE), [(EQ(INVERSE, INVERSE), EXACT)]),
    "cases of what has no value": ((), LE("0", "1"), [(LE("0", "1"), (
        "split", LE("0", INVERSE), ((LE("0", "1"), by(("1", "neg"), ("1",))),),
            ((LE("0", "1"), by(("1", "neg"), ("1",))),)))]),
    "cases that leave one out": ((), LT("x", "x"), [(LT("x", "x"), (
        "split", LE("x", "0"), ((LT("x", "x"), by(("1", "neg"), ("1", 0))),),
            ((LT("x", "x"), by(("1", 0))),)))]),
    "induction without a beginning": (
        (EQ(("of", "F", "1"), "0"), ALL(EQ(("of", "F", ("+", "i", "1")), FI), "0", ("+", "n", "-1"))),
        ALL(EQ(FI, "0"), "0", "n"),
        [(ALL(EQ(FI, "0"), "0", "n"), ("induction", 0, (
            (EQ(("of", "F", ("+", "i", "1")), FI), ("instance", 1, "i", (2, 3))),
            (EQ(("of", "F", ("+", "i", "1")), "0"), by(("1", "neg"), ("1", 4), ("1", 5))))))]),
    "an index that is known already": ((LE("k", "0"),), ("all", "k", "1", "n", LE("k", "0")),
                                       [(("all", "k", "1", "n", LE("k", "0")),
                                           ("all", ((LE("k", "0"), by(("1", "neg"), ("1", 0))),)))]),
    "every number, from one that is known": ((LE("x", "0"),), ("every", "x", "real", LE("x", "0")),
        [(("every", "x", "real", LE("x", "0")), ("every", ((LE("x", "0"), by(("1", "neg"), ("1", 0))),)))]),
    "every index, from a range": ((ALL(LE(FI, "0")),), ("every", "j", "whole", LE(("of", "F", "j"), "0")),
        [(("every", "j", "whole", LE(("of", "F", "j"), "0")),
          ("every", ((LE(("of", "F", "j"), "0"), ("instance", 0, "j", (0, 0))),)))]),
    "a name for what has no value": ((), LE("0", "1"), [(LE("0", "1"), ("name", (
        (LE("0", "1"), by(("1", "neg"), ("1",))),), "w", INVERSE))]),
    "a name in the claim": ((), EQ("w", "0"), [(EQ("w", "0"),
        ("name", ((EQ("w", "0"), by(("1", "neg"), equal=(0,))),), "w", "0"))]),
    "a constant": ((), LT(("exp", "1/8"), "11/10"), [(LT(("exp", "1/8"), "11/10"), ("constants",))]),
    "an equation of constants": ((), EQ(("exp", "0"), "1"), [(EQ(("exp", "0"), "1"), ("constants",))]),
    "Cauchy and Schwarz turned": ((), LE(("*", ("n2", "u"), ("n2", "v")), ("^", ("ip", "u", "v"), "2")),
                                  [(LE(("*", ("n2", "u"), ("n2", "v")), ("^", ("ip", "u", "v"), "2")),
                                    by(("1", "neg"), ("1", ("gram", "u", "v"))))]),
    "a power and its inverse": ((), EQ(("*", ("^", "x", "n"), ("^", "x", ("*", "-1", "n"))), "1"),
                                [(EQ(("*", ("^", "x", "n"), ("^", "x", ("*", "-1", "n"))), "1"), EXACT)]),
    "a sum that ends before it starts": ((), EQ(SUM(FI, "1", "-1"), ("*", "-1", ("of", "F", "0"))),
                                         [(EQ(SUM(FI, "1", "-1"), ("*", "-1", ("of", "F", "0"))), EXACT)]),
    "an unknown rule": ((), LE("1", "0"), [(LE("1", "0"), ("trust",))]),
    "a rule misused": ((), LE("1", "0"), [(LE("1", "0"), ("combine",))]),
    "a name that is not declared": ((), EQ("w", "w"), [(EQ("w", "w"), EXACT)]),
    "a bound name let loose": ((), EQ(("*", "0", "#0"), "0"), [(EQ(("*", "0", "#0"), "0"), EXACT)]),
    "another last line": ((LE("0", "x"),), LE("x", "0"), [(LE("0", "x"), ("given", 0))]),
    "no lines": ((), LE("1", "0"), []),
    "an order of numbers times a vector": ((LE("x", "y"),), EQ(("*", "x", "u"), ("*", "y", "u")),
                                           [(EQ(("*", "x", "u"), ("*", "y", "u")),
                                             ("vectors", "1", (("u", 0),), ()))]),
    "an equation of vectors times a vector": ((EQ("u", "v"),), EQ("u", "v"),
                                              [(EQ("u", "v"), ("vectors", "1", (("u", 0),), ()))]),
    "an equation of numbers times another vector": ((EQ("x", "y"),), EQ(("*", "x", "u"), ("*", "y", "u")),
                                                    [(EQ(("*", "x", "u"), ("*", "y", "u")),
                                                      ("vectors", "1", (("v", 0),), ()))]),
    "an order of vectors": ((), LE("u", "v"), [(LE("u", "v"), EXACT)]),
    "a variable that is 0 in one place": ((("!=", ("*", "x", ("+", "y", ("*", "-1", "y"))), "0"),),
        LE("1", "0"),
                                          [(LE("1", "0"), by(("1", 0)))]),
}  # fmt: skip


@pytest.mark.parametrize("name", TRUE)
def test_what_follows_is_accepted(name: str) -> None:
    """The judgement has the hypotheses and the claim, nothing more and nothing less."""
    given, claim, lines = TRUE[name]
    found = judged(given, claim, *lines, known=KNOWN)

    assert (found.given, found.claim) == (tuple(given), claim)


@pytest.mark.parametrize("name", FALSE)
def test_what_does_not_follow_is_rejected(name: str) -> None:
    """No judgement comes out, and the message says something."""
    given, claim, lines = FALSE[name]
    with pytest.raises(Rejected, match=r"."):
        judged(given, claim, *lines, known=KNOWN)


@pytest.mark.parametrize("parameters", [("i", "i'"), ("i'", "i"), ("i", "j")])
def test_parameters_of_a_value_are_told_apart(parameters: tuple[str, str]) -> None:
    """A value that divides by what may be 0 is none, whatever its parameters are called."""
    same = EQ(("of", "H", "k", "n"), ("of", "H", "k", "n"))
    kinds = {"H": "real(whole,whole)", "k": "whole", "n": "whole"}
    known = {"same": judged((), same, (same, EXACT), names=kinds)}
    one, other = parameters
    value = ("map", parameters, ("^", ("+", "1", one, ("*", "-1", other)), "-1"))
    there = LE("i", "i")
    inverse = ("^", ("+", "1", "k", ("*", "-1", "n")), "-1")
    line = (EQ(inverse, inverse), ("use", "same", (("H", value),), ()))
    with pytest.raises(Rejected, match="nonzero"):
        judged(
            (there,),
            EQ(inverse, inverse),
            line,
            known=known,
            names={"i": "whole", "k": "whole", "n": "whole"},
        )


def test_a_bound_name_hides_another() -> None:
    """Indices within an index of the same name are not taken for each other."""

    def total(body: Any) -> Any:
        return SUM(SUM(("sum", "k", "1", "2", ("of", "H", *body)), "1", "2"), "1", "2")

    names = {"H": "real(whole,whole)"}
    same = EQ(total("ik"), total("ik"))
    wrong = EQ(total("ik"), total("kk"))
    known = {"same": judged((), same, (same, EXACT), names=names)}
    with pytest.raises(Rejected, match="same says"):
        judged((), wrong, (wrong, ("use", "same", (), ())), known=known, names=names)


def test_the_kernels_own_names_are_refused() -> None:
    """A certificate does not speak of an index by the name that the kernel reads it by."""
    own, right = (ALL(EQ(SUM(("of", "F", j), "1", "2"), ("of", "F", "i")), "1", "2") for j in ("#0", "i"))
    known = {"same": judged((right,), right, (right, ("given", 0)), names={"F": "real(whole)"})}
    with pytest.raises(Rejected, match="no certificate may write"):
        judged((), right, (own, ("all", ((own[4], EXACT),))), (right, ("use", "same", (), (0,))), known=known)


def test_a_value_speaks_of_declared_names() -> None:
    """A name that is free in a value is not taken for its parameter."""
    same = EQ(("of", "F", "k"), ("of", "F", "k"))
    known = {"same": judged((), same, (same, EXACT), names={"F": "real(whole)", "k": "whole"})}
    there, said = LE("i", "i"), EQ(("+", "k", "i'"), ("+", "k", "i'"))
    line = (said, ("use", "same", (("F", ("map", ("i",), ("+", "i", "i'"))),), ()))
    with pytest.raises(Rejected, match="i' is not declared"):
        judged((there,), there, line, known=known, names={"i": "whole", "k": "whole"})


def test_nobody_else_makes_a_judgement() -> None:
    """A judgement made by hand is refused, and so is one copied with another claim."""
    with pytest.raises(Rejected):
        Judgement("x", {}, (), LE("1", "0"))
    with pytest.raises(Rejected):
        Judgement("x", {}, (), LE("1", "0"), object())
    true = judged((), LE("0", "0"), (LE("0", "0"), EXACT))
    with pytest.raises(Rejected):
        replace(true, claim=LE("1", "0"))
    with pytest.raises(TypeError):
        true.names["x"] = "real"  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("1x", "real"),
        ("x", "complex"),
        ("x", "whole(real)"),
        ("x", "whole(whole)"),
        ("x", "real(real)"),
        ("x y", "real"),
        ("pi", "real"),
        ("sqrt", "real(whole)"),
        ("'", "real"),
        ("x\u00b2", "real"),
        ("\u00b2", "real"),
        ("x\u0327\u0301", "real"),
    ],
)
def test_names_and_kinds(name: str, kind: str) -> None:
    """What is no name, or no kind, is rejected."""
    with pytest.raises(Rejected, match="is no name with a kind"):
        judged((), EQ("0", "0"), (EQ("0", "0"), EXACT), names={name: kind})


@pytest.mark.parametrize("name", ["x_1", "x''", "_", "_x", "\u03c3", "\u00e9"])
def test_names_of_letters(name: str) -> None:
    """A name begins with a letter, of any alphabet, in the one way to write it."""
    assert judged((), EQ(name, name), (EQ(name, name), EXACT), names={name: "real"}).names == {name: "real"}


@pytest.mark.parametrize(
    ("side", "fits"),
    [(("exp", "1"), True), (("+", "pi", "1"), True), (("exp",), False), (("sin", "pi", "1"), False),
     (("max", ("exp", "1")), False), (("log", "-1"), False)],
)  # fmt: skip
def test_a_hypothesis_of_constants_is_one(side: Any, fits: bool) -> None:
    """What speaks of exp, log, sin, cos and pi alone is read as a constant, in hypotheses as in claims."""
    claim = EQ("0", "0")
    for given in (LE(side, "pi"), LE("pi", side)):
        if fits:
            assert judged((given,), claim, (claim, EXACT)).given == (given,)
        else:
            with pytest.raises(Rejected):
                judged((given,), claim, (claim, EXACT))


@pytest.mark.parametrize("number", ["4/2", "2/1", "0/2", "-0", "00", "٣", "1/0", "-4/6"])
def test_a_number_is_written_in_one_way(number: str) -> None:
    """In lowest terms, for a root is told from a whole power by what divides the exponent."""
    for tree in (number, ("^", "x", number), ("*", number, "x")):
        with pytest.raises(Rejected):
            judged((), EQ(tree, tree), (EQ(tree, tree), EXACT))


@pytest.mark.parametrize("tree", [("+",), ("*",), ("n2", ("*",)), ("sum", ("n2", "0"), "1", "2", "1")])
def test_an_expression_has_parts(tree: Any) -> None:
    """A sum or product of nothing is none, and an index is a name."""
    with pytest.raises(Rejected):
        judged((), EQ("0", "0"), (EQ(tree, tree), EXACT), (EQ("0", "0"), EXACT))
    with pytest.raises(Rejected):
        judged((EQ(tree, "0"),), EQ("0", "0"), (EQ("0", "0"), EXACT))


@pytest.mark.parametrize(
    ("inner", "fits"), [(("of", "F", "i"), True), (("^", ("of", "F", "i"), "1/2"), False)]
)
def test_a_root_in_an_absolute_value_is_not_defined_everywhere(inner: Any, fits: bool) -> None:
    """A sum of |sqrt(a(i))| keeps its last term, in which it may have no value; one of |a(i)| need not."""
    long, short = (("sum", "i", "1", end, ("abs", inner)) for end in (("+", "n", "1"), "n"))
    end = substitute(inner, {"i": ("+", "n", "1")})
    given = (LE("0", long), LE("0", short), LE("0", ("of", "F", ("+", "n", "1"))))
    apart = EQ(long, ("+", short, ("abs", end)))
    if fits:
        assert judged(given, apart, (apart, EXACT)).claim == apart
    else:
        with pytest.raises(Rejected, match="do not add up"):
            judged(given, apart, (apart, EXACT))


def test_a_normal_form_that_has_no_end_is_no_proof() -> None:
    """Each index of two sums moves the other's: j by a(j - i), then i by the end i - 1, and so on."""
    term = ("*", ("of", "F", ("+", "j", ("*", "-1", "i"))), ("^", "j", "1/2"))
    tree = ("sum", "i", "0", "n", ("sum", "j", "i", "k", term))
    with pytest.raises(Rejected, match="too deeply"):
        judged((EQ("x", tree),), EQ("0", "0"), (EQ("0", "0"), EXACT))


#: n >= 0, for the sum up to n has a value
SPOKEN = ("=", "x", ("of", "f", ("sum", "i", "1", "n", "u")))


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        ("3", False), (("n2", "w"), True), (("*", "0", ("n2", "w")), True), (("of", "f", "w"), True),
        (("sum", "i", "1", "0", ("n2", "w")), False), (("+", "3", ("of", "F", "2")), False),
    ],
)  # fmt: skip
def test_a_map_keeps_what_may_be_undefined(body: Any, fits: bool) -> None:
    """Of f(sum of u up to n) = x one learns that 0 <= n; of 3 = x, where f is 3, nothing."""
    learnt = judged((SPOKEN,), LE("0", "n"), (LE("0", "n"), ("meaning",)))
    value = ("map", ("w",), body)
    put = substitute(SPOKEN, {"f": value})
    line, given = (LE("0", "n"), ("use", "step", (("f", value),), (0,))), (put, LE("0", ("n2", "u")))
    if fits:
        assert judged(given, LE("0", "n"), line, known={"step": learnt}).claim == LE("0", "n")
    else:
        with pytest.raises(Rejected, match="is defined is lost"):
            judged(given, LE("0", "n"), line, known={"step": learnt})


def test_a_map_may_drop_what_is_defined_anyway() -> None:
    """An argument that has a value whatever its names are."""
    whole = EQ("x", ("of", "F", ("+", "n", "1")))
    same = judged((whole,), whole)
    line, given = (
        (EQ("x", "3"), ("use", "step", (("F", ("map", ("k",), "3")),), (0,))),
        (EQ("x", "3"), LE("0", "n")),
    )
    assert judged(given, EQ("x", "3"), line, known={"step": same}).claim == EQ("x", "3")


@pytest.mark.parametrize(
    "claim", [[], 1, None, ["all", ["i"], "1", "2", ["=", "0", "0"]], ["=", "0", "9" * 5000]]
)
def test_what_is_no_certificate_is_rejected(claim: Any) -> None:
    """Whatever else is wrong with it, in a line."""
    with pytest.raises(Rejected):
        checked({"id": "s", "names": {}, "given": [], "claim": claim, "lines": [], "uses": []}, {})
    with pytest.raises(Rejected):
        checked({"id": "s"}, {})


@pytest.mark.parametrize("kind", ["complex", ["a"], "real(real)"])
def test_every_is_of_a_kind(kind: Any) -> None:
    """In a hypothesis, too."""
    every = ["every", "p", kind, ["<=", "0", "0"]]
    with pytest.raises(Rejected):
        judged((every,), EQ("0", "0"), (EQ("0", "0"), EXACT))


@pytest.mark.parametrize("said", [["foo", "pi", "1"], ["<", "pi"], ["<", "pi", "1", "2"]])
def test_what_is_said_of_constants_is_a_relation(said: Any) -> None:
    """Between two sides."""
    with pytest.raises(Rejected):
        judged((said,), EQ("0", "0"), (EQ("0", "0"), EXACT))
    assert judged((["<", "4", "pi"],), EQ("0", "0"), (EQ("0", "0"), EXACT)).given == (("<", "4", "pi"),)


def test_constants_are_bounded() -> None:
    """A tower of powers ends at once, and nothing is the sum of nothing."""
    tower: Any = "3"
    for _ in range(4):
        tower = ("^", tower, "60")
    claim = EQ("0", "0")
    for odd in (
        ("+", "pi", tower),
        ("exp", ("+",)),
        ("exp", ("*",)),
        ("^", "pi", "61"),
        ("^", ("exp", "1"), "61/2"),
    ):
        with pytest.raises(Rejected):
            judged((LE(odd, "4"),), claim, (claim, EXACT))
    assert judged((LE(("^", "pi", "60"), "4"),), claim, (claim, EXACT)).claim == claim
