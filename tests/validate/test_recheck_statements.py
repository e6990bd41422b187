"""The script that re-checks an audit holds a statement to its claim, conditions, metric and reading."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from fedproof.bounds import catalog
from fedproof.proof.tree_text import text
from fedproof.validate import recheck as script
from fedproof.validate.audit import audit
from fedproof.validate.formal import formal
from fedproof.vocabulary.papers import papers
from fedproof.vocabulary.result import to_json

Document = dict[str, Any]
BOUND, IMPLIES, OTHER = "fedproxvr.lemma3", "flecs.cost.worker", "flecs.communication.single.factor"
IDENTITY, READ, FEASIBLE = (
    "composite.section3.residual35.square",
    "composite.section4.cnn",
    "fedproxvr.problem20",
)
DEFINED, EXISTS, RUNS = "fedproxvr.eq15", "fedproxvr.remark2.1.mu", "composite.section4.same"
ORDER, NEAR_ZERO = "fedproxvr.remark1.1.lower", "fedprox.section1.scaffold"
HOLD = (BOUND, IMPLIES, OTHER, IDENTITY, READ, FEASIBLE, DEFINED, ORDER, NEAR_ZERO)


@pytest.fixture(scope="module")
def made() -> str:
    """An audit of a statement of each kind."""
    return to_json(audit(*HOLD, EXISTS, RUNS))


@pytest.fixture
def found(made: str) -> Document:
    """The same, to be changed."""
    return dict(json.loads(made))


def row(found: Document, id: str) -> dict[str, Any]:
    """A statement of it."""
    return next(s for s in found["statements"] if s["id"] == id)


def end(found: Document) -> dict[str, Any]:
    """The last step of the bound's proof."""
    rows = [*found["steps"], *found["basis"]]
    return next(r for r in rows if r["id"] == row(found, BOUND)["because"][0])


@pytest.fixture(scope="module")
def confirmed(made: str) -> list[str]:
    """The steps that the audit confirms."""
    return script.proofs(json.loads(made))[0]


def fallen(found: Document, confirmed: list[str] | None = None) -> dict[str, str]:
    """What is not confirmed, and why; the steps are looked at again where they are not told."""
    rejected: list[tuple[str, str]] = []
    without: list[str] = []
    if confirmed is None:
        confirmed, rejected, without = script.proofs(found)
    _, wrong, alone = script.statements(found, confirmed)
    return dict([*rejected, *wrong]) | dict.fromkeys((*without, *alone), "without")


def test_each_kind_is_confirmed(found: Document) -> None:
    """As it stands."""
    assert fallen(found) == {}


def _greener(id: str, kind: str) -> Callable[[Document], None]:
    def change(d: Document) -> None:
        row(d, id).update(verdict="holds", kind=kind)

    return change


def _taken(id: str, *keys: str) -> Callable[[Document], None]:
    """Keys of one statement taken from another."""

    def change(d: Document) -> None:
        row(d, id).update({k: row(d, OTHER)[k] for k in keys}, verdict="holds", kind="implies")

    return change


def _set(id: str, **changes: Any) -> Callable[[Document], None]:
    return lambda d: row(d, id).update(changes)


def _says(id: str, **changes: Any) -> Callable[[Document], None]:
    return lambda d: row(d, id)["says"].update(changes)


def _given(*keep: int) -> Callable[[Document], None]:
    def change(d: Document) -> None:
        says = row(d, BOUND)["says"]
        says["given"] = [says["given"][k] for k in keep]

    return change


def _contradiction(d: Document) -> None:
    row(d, BOUND)["says"]["given"].append({"text": "1 <= 0", "is": ["<=", "1", "0"]})


def _own_claim(d: Document) -> None:
    """A certificate that goes by what it proves."""
    proof = row(d, IMPLIES)["proofs"][0]
    claim = proof["claim"]
    names = {n: k for n, k in proof["names"].items() if json.dumps(n) in json.dumps(claim)}
    proof |= {"names": names, "given": [{"is": claim, "from": {}}], "lines": [[claim, ["given", 0]]]}
    row(d, IMPLIES)["proofs"] = [proof]


def _whole(d: Document) -> None:
    """A certificate that holds for whole values of a letter only."""
    kinds = row(d, BOUND)["says"]["kinds"]
    names = next(p["names"] for p in row(d, BOUND)["proofs"] if p["names"].keys() & kinds)
    names[next(n for n in names if kinds.get(n) == "real")] = "whole"


def _half(d: Document) -> None:
    """Of a letter that counts."""
    says = row(d, IMPLIES)["says"]
    says["at"][next(n for n, kind in says["kinds"].items() if kind == "whole")] = "5/2"


def _bound(d: Document) -> None:
    says = row(d, BOUND)["says"]
    says["bound"] = ["*", "1/2", says["bound"]]


def _relation(d: Document) -> None:
    """Another paper's metric under the name of this one."""
    metrics = next(p for p in d["papers"] if p["key"] == "fedproxvr")["metrics"]
    metrics["relative_movement"] = metrics["local_inexactness"]


def _reason(d: Document) -> None:
    """What the last step lists is said to be a definition."""
    next(one for one in end(d)["says"]["lists"] if not one[1])[1] = "definition: of it"


def _order(id: str, **changes: Any) -> Callable[[Document], None]:
    return lambda d: row(d, id)["says"]["order"].update(changes)


CHANGES: dict[str, Callable[[Document], None]] = {
    "an order of another side": _order(ORDER, left="1"),
    "an order with a smaller constant": _order(ORDER, constant="1"),
    "an order at the other end": _order(NEAR_ZERO, limit="oo"),
    "an order without a proof": _set(ORDER, proofs=[]),
    "runs as an order": _greener(RUNS, "order"),
    "runs as a problem with a solution": _greener(RUNS, "minimum"),
    "an implication as a problem with a solution": _set(IMPLIES, kind="minimum", proofs=[]),
    "runs as an identity": _greener(RUNS, "identity"),
    "runs by another's proofs": _taken(RUNS, "proofs"),
    "an implication by another's proofs": _taken(IMPLIES, "proofs"),
    "an implication of another's claim": _taken(IMPLIES, "says"),
    "an implication without proofs": _set(IMPLIES, proofs=[]),
    "an identity without proofs": _set(IDENTITY, proofs=[]),
    "a proof by its own claim": _own_claim,
    "a proof for whole values": _whole,
    "no claim": _says(IMPLIES, claim=[]),
    "no words of its own": _set(IMPLIES, says=None),
    "no numbers": _says(IMPLIES, at={}),
    "numbers that are not whole": _half,
    "a number with a huge exponent": _says(FEASIBLE, at={"mu": "1e999999999"}),
    "another problem": _says(FEASIBLE, claim=[]),
    "conditions that cannot hold": _contradiction,
    "no conditions": _given(),
    "a smaller bound": _bound,
    "another metric": _says(BOUND, metric="local_inexactness"),
    "no metric": _says(BOUND, metric=None),
    "another relation for the metric": _relation,
    "a reading that is gone": _set(READ, reading=None, verdict="holds"),
    "another reading": _set(READ, reading="as printed"),
    "a kind that only looks like one": _set(IMPLIES, kind="impli\u0435s"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_statement_that_says_otherwise_is_not_confirmed(
    found: Document, confirmed: list[str], name: str
) -> None:
    """Whatever of it is changed: something is rejected that was not before."""
    CHANGES[name](found)

    assert fallen(found, confirmed)


@pytest.mark.parametrize("hide", [_reason, lambda d: end(d)["says"]["lists"].clear()])
def test_a_step_that_lists_less_is_not_the_one_that_was_proved(
    found: Document, hide: Callable[[Document], None]
) -> None:
    """A hypothesis that is hidden from the statement is missed by the step's own row."""
    hide(found)

    assert {end(found)["id"], BOUND} <= fallen(found).keys()


def basis(found: Document) -> list[dict[str, Any]]:
    """The rows of steps that are cheap to look at again: their words alone."""
    return [r | {"certificate": None, "verdict": "open"} for r in found["basis"]]


PLACES: dict[str, Callable[[Document], dict[str, Any]]] = {
    "a ground of a step": lambda d: next(g for r in d["basis"] for g in r["rests_on"]),
    "a ground of a statement": lambda d: row(d, BOUND)["rests_on"][0],
    "a condition": lambda d: row(d, IMPLIES)["says"]["given"][0],
    "a claim": lambda d: row(d, IMPLIES)["says"]["claim"][0],
    "what a paper grants": lambda d: d["papers"][0]["granted"][0],
    "a metric": lambda d: next(m[0] for p in d["papers"] for m in p["metrics"].values()),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("words", ["0 <= 1", None])
def test_words_beside_a_formula_are_its_own(found: Document, name: str, words: str | None) -> None:
    """Harmless words over another formula are rejected; so are letters that only look alike."""
    place = PLACES[name](found)
    assert place["text"] == text(script_tree(place["is"]))
    place["text"] = words or place["text"].replace("a", "\u0430") + " "

    said = {why for _, why in script.proofs(found | {"basis": basis(found)})[1]}
    assert said == {"other words stand beside a formula"}


def script_tree(raw: Any) -> Any:
    """Lists as the tuples that the library has."""
    return tuple(map(script_tree, raw)) if isinstance(raw, list) else raw


def test_words_are_read_back_as_python(found: Document) -> None:
    """What the script evaluates at numbers is the line that a reader sees, powers of powers included."""
    tree = ["^", ["^", ["+", "x", "1"], "2"], "-1"]
    said = script._text(tree)

    assert said == text(script_tree(tree)) == "((x + 1)**2)**(-1)"
    assert script._decided(f"{said} == 1/9", {"x": script._q(2)})[0]


@pytest.mark.parametrize("n", ["5/2", "1e0", " 1", "\u0661", 1, "4/2"])
def test_an_example_is_whole_where_the_certificate_is(n: Any) -> None:
    """A certificate for whole n is no proof at n = 5/2; numbers are written plainly."""
    names = {"names": {"n": "whole"}, "claim": ["<=", "0", "1"]}
    example: Document = {"given": ["n >= 1"], "at": {"n": "2"}, "claim": None}
    step: Document = {"id": "s", "verdict": "proved", "certificate": names, "claim": "n >= 1", "given": []}
    step |= {"example": example}
    audit_ = {"steps": [step], "statements": []}
    assert [code for _, code, _ in script.recheck(audit_)] == [0]
    example["at"] = {"n": n}

    assert [code for _, code, _ in script.recheck(audit_)] == [2]


@pytest.mark.parametrize(
    "odd", [[1], "text", 3, {"given": 1, "claim": ""}, {"given": ["-" * 20_000 + "1 < 0"]}]
)
def test_what_cannot_be_read_is_no_crash(odd: Any) -> None:
    """Rows of other shapes and lines that nest too deep are told of."""
    step = {"id": "s", "verdict": "refuted", "witness": {}, "claim": "1 <= 0", "instance": odd}
    assert [code for _, code, _ in script.recheck({"steps": [step], "statements": []})] == [2]


def test_every_statement_has_words_and_numbers() -> None:
    """All papers' statements about numbers have formulas, and numbers at which their conditions hold."""
    for key in papers():
        for statement in catalog.statements(key):
            if statement.claim.kind not in ("observed", "reported"):
                said = formal(statement)
                assert said is not None
                assert said["at"] is not None, statement.id


def test_a_refuted_statement_is_broken_where_its_conditions_hold() -> None:
    """Numbers outside of the conditions break nothing, whatever the instance lists."""
    says = {"kinds": {"n": "real"}, "given": [{"text": "3 < n", "is": ["<", "3", "n"]}]}
    said = {"id": "s", "verdict": "refuted", "claim": "n <= 1", "instance": {"given": [], "claim": "n <= 1"}}

    def code(n: str) -> list[int]:
        rows = [said | {"says": says, "witness": {"n": n}}]
        return [found for _, found, _ in script.recheck({"steps": [], "statements": rows})]

    assert (code("4"), code("2")) == ([0], [1])
