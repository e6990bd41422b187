"""What a paper in one file may not do to make a statement hold: each way beside its honest twin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import fedproof as fp
from fedproof.bounds import catalog
from fedproof.cli import main
from fedproof.validate.paper_rules import check_paper, check_statement
from fedproof.vocabulary.errors import FedproofError, InputError, LeftOut
from fedproof.vocabulary.papers import papers

KEY = "flat_paper"
TEXT = '''"""The gradient is at most L."""

from fedproof.author import *

KEY = "flat_paper"
NOTATION = Notation()
L, q = NOTATION.symbol("L", "smoothness"), NOTATION.symbol("q", "stepsize")
FLAT = Assumption(f"{KEY}.flat", "the gradient is bounded", "L", Source(KEY, "Assumption 1"))
ASSUMPTIONS = {FLAT.id: FLAT}
grad, w = Field("grad"), Vector("w")
x, y = vectors("x y")
by = step_writer(KEY, __name__)
POINTS = "w"

with printed():
    ALL = ForEvery(n2(grad(x)) <= RIGHT, (x,), FLAT.id)
    FORMULAS = (ALL,)
    METRIC_RELATIONS = {"squared_gradient": (n2(grad(w)) <= number("bound"),)}
    END = by.real("end", "Theorem 1")(n2(grad(w)) <= RIGHT, L > 0, ALL.at(w))
    THEOREM = Statement(
        id=f"{KEY}.theorem1", title="Theorem 1", source=Source(KEY, "Theorem 1"),
        letters=NOTATION.letters(L), claim=Bound("squared_gradient", RIGHT),
        conditions=(Condition("(1)", L >= 2, "(1)"),),
        assumptions=(FLAT.id,), proof=(f"{KEY}.end",),
    )
'''


def verdict(own_papers: Path, right: str = "L", old: str = "", new: str = "") -> str:
    """What an audit finds of the theorem with one thing changed."""
    assert old in TEXT
    file = own_papers / f"{KEY}.py"
    file.write_text(TEXT.replace(old, new).replace("RIGHT", right) if old else TEXT.replace("RIGHT", right))
    fp.use(file)
    return fp.audit(KEY).statements[0].verdict


def test_the_honest_twin_holds(own_papers: Path) -> None:
    """As it is written the theorem is its assumption, and holds."""
    assert verdict(own_papers) == "holds"


def test_what_it_rests_on_is_shown(own_papers: Path) -> None:
    """Beside `holds` stand the formula that was granted and what the proof calls the metric."""
    assert verdict(own_papers) == "holds"
    table = next(t for t in fp.audit(KEY).tables() if t.title == "What they rest on")

    assert [row[1:3] for row in table.rows] == [
        ("the last step", f"{KEY}.end"),
        ("assumption", f"{KEY}.flat"),
    ]
    assert "n2(grad(x)) <= L" in table.rows[1][3]


@pytest.mark.parametrize(("old", "new", "said"), [
    ('n2(grad(w)) <= number("bound"),', 'number("bound") <= number("bound") + 1,', "METRIC_RELATIONS"),
    ('n2(grad(w)) <= number("bound"),', 'n2(grad(w)) <= n2(grad(w)) + number("bound"),', "METRIC_RELATIONS"),
    ('n2(grad(w)) <= number("bound"),', "n2(grad(w)) <= L,", "METRIC_RELATIONS"),
    ('n2(grad(w)) <= number("bound"),', 'L <= number("bound"),', "METRIC_RELATIONS"),
    ('(n2(grad(w)) <= number("bound"),)', 'n2(grad(w)) <= number("bound")', "a tuple of relations"),
    ("(x,), FLAT.id)", '(x,), "as is well known")', "reason of a formula"),
    ("(x,), FLAT.id)", '(x,), "fedprox.smooth")', "reason of a formula"),
    ("step_writer(KEY,", 'step_writer("fedprox",', "id of a step"),
    ('Bound("squared_gradient", RIGHT)', 'Bound("squared_gradient", RIGHT + q)', "one of its letters"),
    ('proof=(f"{KEY}.end",)', 'proof=("nowhere",)', "nowhere"),
    ('proof=(f"{KEY}.end",)', 'proof=f"{KEY}.end"', "a tuple of ids"),
    ("    THEOREM = ", "    TWIN = THEOREM = None\n    TWO = ", ""),
])  # fmt: skip
def test_what_is_no_proof_of_the_metric_is_refused(own_papers: Path, old: str, new: str, said: str) -> None:
    """Metrics said of nothing, formulas of no assumption, steps of others: one line, never `holds`."""
    if not said:
        assert verdict(own_papers, "L", old, new) == "holds"
        return
    with pytest.raises(FedproofError, match=said) as caught:
        verdict(own_papers, "L", old, new)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("condition", "said"), [
    ("L**3 >= 2", "holds"),
    ("L**q <= 0", "open"),
    ("L**2 + q**2 < 2*L*q", "vacuous"),
])  # fmt: skip
def test_a_bound_whose_conditions_nothing_is_known_to_meet_is_open(
    own_papers: Path, condition: str, said: str
) -> None:
    """A power that is not positive has no value that meets it; a negative square is seen to have none."""
    letters = "letters=NOTATION.letters(L), claim"
    text = TEXT.replace("L >= 2,", f"{condition},").replace(letters, letters.replace("(L)", "(L, q)"))
    file = own_papers / f"{KEY}.py"
    file.write_text(text.replace("RIGHT", "L"))
    fp.use(file)

    assert fp.audit(KEY).statements[0].verdict == said


def test_an_assumption_that_contradicts_the_conditions_proves_nothing(own_papers: Path) -> None:
    """A squared norm at most 1 - L where L >= 2: the step is proved, the statement is open."""
    assert verdict(own_papers, "(1 - L)") == "open"
    assert "contradicts its conditions" in fp.audit(KEY).statements[0].detail


#: a gradient that is at most L + q - q^2, which is at most L for whole q alone, and a step that counts to q
COUNTED = (
    ("from fedproof.author import *\n", "from fedproof.author import *\nimport sympy as sp\n"),
    ('q = NOTATION.symbol("L", "smoothness"), NOTATION.symbol("q", "stepsize")',
     't = NOTATION.symbol("L", "smoothness"), sp.Symbol("t", real=True)\n'
     'q, Q = sp.Symbol("q", real=True), sp.Symbol("q", integer=True)'),
    ("    ALL = ForEvery(n2(grad(x)) <= RIGHT, (x,), FLAT.id)\n    FORMULAS = (ALL,)\n",
     """    def said(q):
        return (
            ForEvery(n2(grad(x)) <= L + GAP, (x,), FLAT.id),
            *((ForEvery(q >= 0, (), FLAT.id),) if SIGNED else ()),
        )

    FORMULAS, (ALL, *SIGNS) = said(GRANTED), said(USED)
    END_AT = q if SIGNED else q**2
    COUNT = by.sum("count", "Theorem 1")(
        total(t - 1, t, 1, END_AT) >= 0, *((q >= 0,) if SIGNED else ()),
        ForAll(t - 1 >= 0, t, sp.Integer(1), END_AT),
    )
"""),
    ("n2(grad(w)) <= RIGHT, L > 0, ALL.at(w))",
     "SAID <= L, *(s.known for s in SIGNS), ALL.at(w), COUNT.at())"),
    ("L >= 2", "L >= 0"), ("RIGHT", "L"),
)  # fmt: skip


def counted(own_papers: Path, granted: str, used: str, signed: bool = True) -> str:
    """What an audit finds where q is one symbol in the formula that is granted, and one in the steps."""
    text = TEXT
    for old, new in COUNTED:
        assert old in text
        text = text.replace(old, new)
    gap, metric = ("q - q**2", "n2(grad(w))") if signed else ("0", "n2(grad(w)) + q**2 - q**4")
    words = {
        "GRANTED": granted, "USED": used, "SIGNED": str(signed), "GAP": gap, "SAID": metric,
        'n2(grad(w)) <= number("bound")': f'{metric} <= number("bound")',
    }  # fmt: skip
    for old, new in words.items():
        text = text.replace(old, new)
    file = own_papers / f"{KEY}.py"
    file.write_text(text)
    fp.use(file)
    return fp.audit(KEY).statements[0].verdict


@pytest.mark.parametrize(("granted", "used", "said"), [
    ("q", "Q", "open"), ("q", "q", "open"), ("Q", "Q", "holds"), ("Q", "q", "holds"),
])  # fmt: skip
def test_an_assumption_on_any_number_is_none_on_a_whole_one(
    own_papers: Path, granted: str, used: str, said: str
) -> None:
    """At q = 1/2 the gradient may be L + 1/4; where the formula says that q counts, it is at most L."""
    assert counted(own_papers, granted, used) == said


def test_a_metric_of_any_number_is_not_bounded_for_whole_ones(own_papers: Path) -> None:
    """q^2 - q^4 is at most 0 for whole q, and nothing says that the q of the metric counts."""
    assert counted(own_papers, "q", "q", signed=False) == "open"


#: 0 + 1 + ... + (L - 1), which is at least 0 where L counts; (L^2 - L)/2 is less than 0 at L = 1/2
SUMMED = (
    ("from fedproof.author import *\n", "from fedproof.author import *\nimport sympy as sp\n"),
    ('symbol("L", "smoothness")', "symbol(LETTER)"),
    ("    ALL = ForEvery(n2(grad(x)) <= RIGHT, (x,), FLAT.id)\n    FORMULAS = (ALL,)\n", """    FORMULAS = ()
    t, h = sp.symbols("t h", real=True)
    gap = (L - L**2) / 2
    COUNT = by.sum("count", "Theorem 1")(
        total(t - 1, t, 1, L) >= 0, L >= 0, ForAll(t - 1 >= 0, t, sp.Integer(1), L)
    )
    BELOW = by.sum("below", "Theorem 1")(gap <= 0, L >= 0, COUNT.at())
"""),
    ("n2(grad(w)) <= number(", "gap - h**2 <= number("),
    ('"squared_gradient", RIGHT', '"squared_gradient", 0 * L'),
    ("n2(grad(w)) <= RIGHT, L > 0, ALL.at(w)", "gap - h**2 <= 0, L >= 0, BELOW.at()"),
    ("L >= 2", "L >= 0"), ('POINTS = "w"', 'COUNTS = "COUNTED"'),
)  # fmt: skip


@pytest.mark.parametrize(("letter", "name", "said"), [
    ('"L", "smoothness"', "L", "open"), ('"T", "rounds"', "T", "holds"),
])  # fmt: skip
def test_a_letter_does_not_count_because_its_paper_says_so(
    own_papers: Path, letter: str, name: str, said: str
) -> None:
    """A sum up to L needs a whole L: a number of rounds is whole, a smoothness need not be."""
    text = TEXT
    for old, new in (*SUMMED, ("LETTER", letter), ("COUNTED", name)):
        assert old in text
        text = text.replace(old, new)
    file = own_papers / f"{KEY}.py"
    file.write_text(text)
    fp.use(file)
    audit = fp.audit(KEY)

    assert {step.verdict for step in audit.steps if step.step.id.startswith(KEY)} == {"proved"}
    assert audit.statements[0].verdict == said


@pytest.mark.parametrize(("left", "right", "said"), [
    ("L**T", "1", "open"), ("T**L", "T", "open"), ("sp.exp((L - 1)*T)", "1", "open"),
    ("q*T", "1 + q*T*L*(L - 1)**2", "open"), ("q*T", "1 + q*T*L*(L + 1)**2", "holds"),
    ("T**2", "1 + T + (L - 1)**2*T**3", "open"), ("T**2", "1 + T + (L + 1)**2*T**3", "holds"),
    ("(L - 1)**2*T**2", "T", "open"), ("(L + 1)**2*T**2", "T", "refuted"), ("L*sp.sqrt(T)", "L*T", "holds"),
])  # fmt: skip
def test_an_order_is_asked_of_every_value_of_the_other_letters(
    own_papers: Path, left: str, right: str, said: str
) -> None:
    """L^T is no O(1) at L = 2; where what leads in a denominator vanishes at L = 1, the order is another."""
    head = TEXT.partition("with printed():")[0].replace("import *\n", "import *\nimport sympy as sp\n", 1)
    text = (
        head
        + f"""
T = NOTATION.symbol("T", "rounds")
FORMULAS = ()
THEOREM = Statement(
    id=f"{{KEY}}.theorem1", title="Theorem 1", source=Source(KEY, "Theorem 1"),
    letters=NOTATION.letters(L, q, T), claim=Order({left}, {right} + 0*T, T),
    conditions=(Condition("(1)", L > 0, "(1)"),),
)
"""
    )
    file = own_papers / f"{KEY}.py"
    file.write_text(text)
    fp.use(file)

    assert fp.audit(KEY).statements[0].verdict == said


@pytest.mark.parametrize(("letter", "room", "said"), [
    ('"T", "rounds"', "1", "open"), ('"T", "rounds"', "3", "holds"), ('"T", "smoothness"', "1", "open"),
    ('"T", "smoothness"', "3", "holds"),
])  # fmt: skip
def test_a_letter_that_counts_needs_room_for_a_whole_number(
    own_papers: Path, letter: str, room: str, said: str
) -> None:
    """Between L and L + 1/2 there is no whole number at L = 1/4; what is chosen has room up to one more."""
    head = TEXT.partition("with printed():")[0].replace("import *\n", "import *\nimport sympy as sp\n", 1)
    text = (
        head
        + f"""
T = NOTATION.symbol({letter})
FORMULAS = ()
THEOREM = Statement(
    id=f"{{KEY}}.theorem1", title="Theorem 1", source=Source(KEY, "Theorem 1"),
    letters=NOTATION.letters(L), conditions=(Condition("(1)", L > 0, "(1)"),),
    claim=Exists(NOTATION.letters(q, T), (T >= L, T <= L + sp.Rational({room}, 2))),
)
"""
    )
    file = own_papers / f"{KEY}.py"
    file.write_text(text)
    fp.use(file)

    assert fp.audit(KEY).statements[0].verdict == said


#: a second statement that leaves the assumption out, and one that is said to grant it
GRANTS = """    LESS = replace(
        THEOREM, id=f"{KEY}.less", assumptions=(), proof=(f"{KEY}.after",), uses=(f"{KEY}.other",),
    )
    OTHER = replace(THEOREM, id=f"{KEY}.other", assumptions=OWN, grants=(FLAT.id,), proof=(f"{KEY}.LAST",))
"""
AFTER = 'AFTER = by.real("after", "Theorem 2")(n2(grad(w)) <= L, L > 0, ALL.at(w), END.at())\n    THEOREM = '


@pytest.mark.parametrize(("last", "own"), [("end", "()"), ("end", "(FLAT.id,)"), ("after", "(FLAT.id,)")])
def test_an_assumption_is_not_granted_by_what_rests_on_it(own_papers: Path, last: str, own: str) -> None:
    """The statement that leaves it out needs it besides, whoever says to grant it."""
    more = GRANTS.replace("LAST", last).replace("OWN", own)
    text = TEXT.replace("    THEOREM = ", f"    {AFTER}").replace("RIGHT", "L") + more
    file = own_papers / f"{KEY}.py"
    file.write_text(
        text.replace("from fedproof.author", "from dataclasses import replace\nfrom fedproof.author", 1)
    )
    fp.use(file)
    found = {s.id: s for s in fp.audit(KEY).statements}

    assert found[f"{KEY}.theorem1"].verdict == "holds"
    assert found[f"{KEY}.less"].verdict == "holds amended"
    assert f"{KEY}.flat besides" in found[f"{KEY}.less"].detail


def test_two_statements_of_one_id_are_refused(own_papers: Path) -> None:
    """One of them would be judged twice and the other never."""
    file = own_papers / f"{KEY}.py"
    file.write_text(TEXT.replace("RIGHT", "L") + "\nFALSE = replace(THEOREM, title='False')\n")
    file.write_text("from dataclasses import replace\n" + file.read_text())
    fp.use(file)
    with pytest.warns(LeftOut, match="an id of its own"), pytest.raises(FedproofError):
        fp.audit(KEY)


@pytest.mark.parametrize("text", ["raise SystemExit(0)\n", "KEY = 'flat_paper'\n"])
def test_nothing_to_audit_is_no_success(
    own_papers: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that stops Python, or that states nothing, ends with exit code 2 and one line."""
    file = own_papers / f"{KEY}.py"
    file.write_text(text)

    assert main(["audit", KEY, "--from", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_check_of_other_papers_is_refused(own_papers: Path) -> None:
    """A made-up comparison cannot stand among those of another paper's theorem."""
    file = own_papers / f"{KEY}.py"
    file.write_text(
        TEXT.replace("RIGHT", "L")
        + '\nCHECK = EmpiricalCheck(("fedprox.theorem1.general",), "none", lambda budget: ())\n'
    )
    fp.use(file)
    with pytest.raises(FedproofError, match="id of CHECK"):
        fp.validate("flat_paper.theorem1", "fedprox.theorem1.general")


@pytest.mark.parametrize(
    ("metric", "relation", "word"),
    [
        ("squared_gradient", "<=", "consistent"),
        ("loss_gap", "<=", "inconclusive"),
        ("squared_gradient", ">=", "inconclusive"),
    ],
)
def test_a_check_of_another_metric_does_not_make_a_claim_consistent(
    metric: str, relation: str, word: str, own_papers: Path
) -> None:
    """A user's check of something else than the claim's metric, or of its other side, decides nothing."""
    measured, bound = (1.0, 2.0) if relation == "<=" else (2.0, 1.0)
    row = f'BoundComparison("{KEY}.theorem1", "{metric}", '
    row += f'"{relation}", {measured}, {bound}, "a run", "Measured.").decided()'
    imports = "from fedproof.validate.verdict import BoundComparison"
    check = f'CHECK = EmpiricalCheck(("{KEY}.theorem1",), "mine", lambda budget: ({row},))'
    file = own_papers / f"{KEY}.py"
    file.write_text("\n".join((TEXT.replace("RIGHT", "L"), imports, check)))
    fp.use(file)
    (found,) = fp.validate(f"{KEY}.theorem1").results

    assert found.verdict == word


def test_a_log_is_read_by_a_papers_own_statements_only(own_papers: Path) -> None:
    """A file cannot say how the metric of another paper's theorem is read off a log."""
    file = own_papers / f"{KEY}.py"
    more = 'SAVED_RUNS = SavedRuns("mine", {"": ("fedprox.theorem1.general",)}, EVERYONE)'
    imports = "from fedproof.validate.logs.saved_runs import EVERYONE, SavedRuns"
    file.write_text("\n".join((TEXT.replace("RIGHT", "L"), imports, more)))
    fp.use(file)
    log = own_papers / "run.csv"
    log.write_text('# algorithm = "mine"\nround,loss\n0,1\n1,0.5\n')

    with pytest.warns(LeftOut, match="statement of SAVED_RUNS"):
        assert fp.validate("fedprox.theorem1.general", history=log).results[0].verdict == "not applicable"


def test_the_shipped_papers_keep_to_the_rules() -> None:
    """Every paper, and every statement of it, passes; a statement with a letter too many does not."""
    for key in papers():
        check_paper(key)
    for st in catalog.statements():
        check_statement(st)
    st = catalog.statement("fedprox.theorem1.general")
    with pytest.raises(InputError, match="one of its letters"):
        check_statement(replace(st, letters=st.letters[1:]))
