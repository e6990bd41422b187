"""Can the parameter values that a paper states satisfy the paper's own conditions?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.expressions import names_in
from fedproof.algebra.ranges.admissible import admissible
from fedproof.bounds import catalog
from fedproof.bounds.statement import Condition, PaperSetting, Statement
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import Interval
from fedproof.vocabulary.values import parse_value


@dataclass(frozen=True)
class SettingVerdict:
    """Whether values that a paper states can satisfy a statement of the same paper; None is undecided."""

    setting: PaperSetting
    statement: str
    admissible: bool | None
    violates: tuple[str, ...]
    detail: str

    def to_dict(self) -> dict[str, Any]:
        """One row of the contract's `audit` document."""
        return {
            "paper": self.setting.paper,
            "where": self.setting.where,
            "parameters": dict(self.setting.parameters),
            "statement": self.statement,
            "admissible": self.admissible,
            "violates": self.violates,
            "detail": self.detail,
        }


def judge_setting(setting: PaperSetting) -> tuple[SettingVerdict, ...]:
    """For each statement: do some values of what the text leaves unstated satisfy its conditions?"""
    return tuple(judge_values(setting, catalog.statement(id)) for id in setting.statements)


def judge_values(setting: PaperSetting, statement: Statement) -> SettingVerdict:
    """The verdict for one statement, with a smallest set of conditions that cannot hold together."""
    known = {k: parse_value(v, k) for k, v in setting.parameters if k in statement.needed}
    domains = {letter.name: letter.domain for letter in statement.letters}
    left_out = ", ".join(n for n in statement.needed if n not in known)
    conflict = _conflict(statement.admissible, known, domains)
    if conflict:
        labels = tuple(c.label for c in conflict)
        detail = f"no {left_out} satisfy {' and '.join(labels)}{' together' if len(labels) > 1 else ''}"
        return SettingVerdict(setting, statement.id, False, labels, detail)
    if _empty(statement.admissible, known, domains) is None:
        return SettingVerdict(setting, statement.id, None, (), f"undecided for {left_out} together")
    return SettingVerdict(setting, statement.id, True, (), f"some {left_out} satisfy every condition")


def _conflict(
    conditions: Sequence[Condition], known: Mapping[str, Fraction], domains: Mapping[str, Interval]
) -> tuple[Condition, ...]:
    """A smallest set of conditions proved to exclude each other, or none."""
    for size in range(1, len(conditions) + 1):
        for chosen in combinations(conditions, size):
            if _empty(chosen, known, domains):
                return chosen
    return ()


def _empty(
    conditions: Sequence[Condition], known: Mapping[str, Fraction], domains: Mapping[str, Interval]
) -> bool | None:
    """Whether no values of the other symbols satisfy the conditions; None where it was not decided."""
    names = sorted(set().union(*(names_in(c.relation) for c in conditions)))
    given = {n: known[n] for n in names if n in known}
    unknown = [n for n in names if n not in known]
    if not unknown:
        return not all(evaluate_relation(c.relation, given).holds for c in conditions)
    for target in unknown:
        try:
            return admissible(conditions, target, given, domains).empty
        except InputError:
            continue
    return None
