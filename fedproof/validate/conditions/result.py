"""The conditions, what implies what, and what the papers call it, as a value that is printed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fedproof.bounds import catalog
from fedproof.bounds.statement import Assumption
from fedproof.proof.conditions.table import ANY, CONDITIONS, EQUAL, Condition
from fedproof.proof.decide import decide
from fedproof.proof.obligations import used
from fedproof.proof.step_verdict import StepDecision
from fedproof.validate.conditions.judged import JudgedImplication, JudgedInstance, Verdict
from fedproof.validate.conditions.letters import Meaning
from fedproof.vocabulary.errors import InternalError, UnknownName
from fedproof.vocabulary.result import Result, Table


@dataclass(frozen=True)
class Pair:
    """Whether one condition implies another.

    Arguments:
        given, gives: the names of the two.
        verdict: "proved" by certificates, "refuted" by losses that keep one and break the other, or "open".
        weights: for which weights of the clients: "any", or "equal" ones.
        by: the steps that prove it, one after the other, or the instances that refute it.
    """

    given: str
    gives: str
    verdict: Verdict
    weights: str
    by: tuple[str, ...]


@dataclass(frozen=True)
class Conditions(Result):
    """The conditions, what implies what, and what the papers call it.

    Arguments:
        implications: each with its verdict.
        instances: the counterexamples, with theirs.
        assumed: the papers' assumptions that are conditions of the table.
        letters: those that mean two things or more in the papers.
    """

    implications: tuple[JudgedImplication, ...]
    instances: tuple[JudgedInstance, ...]
    assumed: tuple[Assumption, ...]
    letters: tuple[Meaning, ...]

    def pair(self, given: str, gives: str) -> Pair:
        """Whether one condition implies another, and by which steps or which instances.

        Arguments:
            given, gives: names of conditions, such as "bounded gradients".

        Raises: UnknownName.

        >>> from fedproof.validate.conditions.api import conditions
        >>> conditions().pair("bounded gradients", "bounded dissimilarity").verdict
        'proved'
        >>> conditions().pair("bounded dissimilarity", "bounded gradients").by
        ('shifted', 'equal')
        """
        start, end = condition(given), condition(gives)
        path = self._paths(start).get(end)
        against = tuple(x.instance.name for x in self.instances if x.keeps(start) and x.breaks(end))
        if path is not None and against:
            raise InternalError(f"{given} -> {gives}: proved, and refuted by {', '.join(against)}")
        if path is None:
            return Pair(given, gives, "refuted" if against else "open", "any" if against else "", against)
        equal = any(x.implication.weights is EQUAL for x in path)
        by = tuple(x.implication.proof.id for x in path)
        return Pair(given, gives, "proved", "equal" if equal else "any", by)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every condition with every other."""
        names = [c.name for c in CONDITIONS]
        return tuple(self.pair(a, b) for a in names for b in names if a != b)

    def _paths(self, start: Condition) -> dict[Condition, tuple[JudgedImplication, ...]]:
        """What follows from one condition alone, each with a chain: one for any weights, if there is one."""
        found: dict[Condition, tuple[JudgedImplication, ...]] = {start: ()}
        for allowed in ((ANY,), (ANY, EQUAL)):
            edge = list(found)
            while edge:
                here = edge.pop(0)
                for x in self.implications:
                    new, weights = x.implication.gives, x.implication.weights
                    follows = x.verdict == "proved" and x.implication.given == (here,) and weights in allowed
                    if follows and new not in found:
                        found[new] = (*found[here], x)
                        edge.append(new)
        return found

    @property
    def failed(self) -> tuple[str, ...]:
        """What is said and not proved: the shell's exit code is 1 then."""
        said = [x.implication.proof.id for x in self.implications if x.verdict != "proved"]
        return (*said, *(claim for x in self.instances for claim in x.failed))

    @cached_property
    def decisions(self) -> tuple[StepDecision, ...]:
        """Every step that is decided, those that others use before them."""
        last = [x.decision for x in self.implications]
        below = [decide(s) for d in last for s in reversed(list(used(d.step)))]
        rest = [d for x in self.instances for _, found in x.kept for d in found]
        rest += [d for x in self.instances for _, d in x.broken]
        return tuple({d.step.id: d for d in (*below, *last, *rest)}.values())

    def to_dict(self) -> dict[str, Any]:
        """The `conditions` document; `recheck.py` reads it as it reads an audit."""
        return {
            "conditions": [self._condition(c) for c in CONDITIONS],
            "implications": [x.to_dict() for x in self.implications],
            "counterexamples": [x.to_dict() for x in self.instances],
            "pairs": [vars(p) for p in self.pairs],
            "letters": [vars(x) for x in self.letters],
            "steps": [d.to_dict() for d in self.decisions],
            "statements": [],
        }

    def _condition(self, condition: Condition) -> dict[str, Any]:
        return {
            "name": condition.name,
            "title": condition.title,
            "latex": condition.latex,
            "constants": [str(c) for c in condition.constants],
            "assumed": [
                {"id": a.id, "paper": a.source.paper, "source": a.source.where, "statements": _assuming(a)}
                for a in self.assumed
                if a.condition == condition.name
            ],
        }

    @property
    def frame(self) -> Any:
        """Every pair of conditions with its verdict, as a pandas table."""
        import pandas as pd

        return pd.DataFrame([vars(pair) for pair in self.pairs])

    def headline(self) -> str:
        """How many pairs are decided, and how."""
        verdicts = [p.verdict for p in self.pairs]
        counts = ", ".join(f"{verdicts.count(word)} {word}" for word in ("proved", "refuted", "open"))
        unproved = f"; not proved: {', '.join(self.failed)}" if self.failed else ""
        return f"{len(CONDITIONS)} conditions; of {len(verdicts)} implications {counts}{unproved}"

    def tables(self) -> tuple[Table, ...]:
        """The conditions, implications, counterexamples, pairs, and letters."""
        return conditions_tables(self.to_dict())


def conditions_tables(found: dict[str, Any]) -> tuple[Table, ...]:
    """What a `conditions` document shows on a terminal."""
    names = [c["name"] for c in found["conditions"]]
    yes, equal, no, unknown = (_listed(found["pairs"], *kind) for kind in _KINDS)
    said = [
        (" and ".join(x["given"]), x["gives"], _equations(x["constants"]), x["weights"], x["verdict"])
        for x in found["implications"]
    ]
    broken = [
        (", ".join(x["losses"]), x["penalty"], b["condition"], b["at"],
         "{left} > {right}".format(**b["numbers"]), "refuted")
        for x in found["counterexamples"]
        for b in x["breaks"]
    ]  # fmt: skip
    return (
        Table(
            "Conditions",
            ("condition", "at every model", "assumed as"),
            tuple(
                (c["name"], c["title"], ", ".join(a["id"] for a in c["assumed"])) for c in found["conditions"]
            ),
        ),
        Table("Implications", ("given", "gives", "with", "weights", "verdict"), tuple(said)),
        Table(
            "Counterexamples",
            ("losses", "penalty", "breaks", "at", "sides, all constants 1", "verdict"),
            tuple(broken),
        ),
        Table(
            "What follows",
            ("given", "implies", "where all clients weigh the same", "does not imply", "open"),
            tuple((name, yes[name], equal[name], no[name], unknown[name]) for name in names),
        ),
        Table(
            "Letters with several meanings",
            ("letter", "paper", "quantity", "meaning"),
            tuple((x["letter"], x["paper"], x["quantity"], x["meaning"]) for x in found["letters"]),
        ),
    )


#: columns of what follows: a verdict, and for which weights
_KINDS = (("proved", "any"), ("proved", "equal"), ("refuted", "any"), ("open", ""))


def _listed(pairs: list[dict[str, Any]], verdict: str, weights: str) -> dict[str, str]:
    found: dict[str, list[str]] = {p["given"]: [] for p in pairs}
    for p in pairs:
        if (p["verdict"], p["weights"]) == (verdict, weights):
            found[p["given"]].append(p["gives"])
    return {name: ", ".join(rows) for name, rows in found.items()}


def _assuming(assumption: Assumption) -> list[str]:
    """The statements of a paper that assume something."""
    found = catalog.statements(assumption.source.paper)
    return [s.id for s in found if assumption.id in s.assumptions]


def condition(name: str) -> Condition:
    """The condition of a name; UnknownName where there is none."""
    known = {c.name: c for c in CONDITIONS}
    if name not in known:
        raise UnknownName("condition", name, tuple(known))
    return known[name]


def _equations(constants: dict[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in constants.items())
