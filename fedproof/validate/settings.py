"""Can the parameter values that a paper states satisfy the paper's own conditions?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from fedproof.algebra.exact_evaluation import evaluate_relation
from fedproof.algebra.expressions import names_in
from fedproof.algebra.ranges.admissible import admissible
from fedproof.algebra.ranges.exponents import in_exponents
from fedproof.algebra.ranges.result import Range
from fedproof.bounds import catalog
from fedproof.bounds.letter import Letter
from fedproof.bounds.statement import Condition, PaperSetting, Statement
from fedproof.validate.setting_values import outside, stated
from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.interval import Interval

#: what L is called
SMOOTHNESS = ("smoothness", "smoothness_sample")
#: an exact end longer than this is shown as a decimal
SHORT = 20


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
            "printed": catalog.statement(self.statement).amends is None,
            "beside": self.setting.beside or None,
        }


def by_setting(rows: Iterable[Mapping[str, Any]]) -> list[bool | None]:
    """Each setting once: whether every printed statement that is held against it admits it.

    Arguments:
        rows: as `SettingVerdict.to_dict` gives them, one for each setting and statement.

    Returns: in the rows' order, False where one does not, None where one is undecided and none does not.

    >>> row = {"paper": "key", "where": "Table 1", "printed": True}
    >>> by_setting([row | {"admissible": True}, row | {"admissible": False}])
    [False]
    """
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["paper"], row["where"]), []).append(row)
    return [_together([r for r in group if r.get("printed", True)] or group) for group in found.values()]


def _together(rows: Sequence[Mapping[str, Any]]) -> bool | None:
    said = {row["admissible"] for row in rows}
    return False if False in said else None if None in said else True


def judge_setting(setting: PaperSetting) -> tuple[SettingVerdict, ...]:
    """For each statement: do some values of what the text leaves unstated satisfy its conditions?"""
    return tuple(judge_values(setting, catalog.statement(id)) for id in setting.statements)


def judge_values(setting: PaperSetting, statement: Statement) -> SettingVerdict:
    """The verdict for one statement, with a smallest set of conditions that cannot hold together.

    Raises: InputError or UnknownName for a letter said twice, or one that no statement has.
    """
    known = stated(setting, statement)
    if senseless := outside(known, statement):
        return SettingVerdict(setting, statement.id, False, tuple(senseless), "; ".join(senseless.values()))
    letters = {letter.name: letter for letter in statement.letters}
    open_ = [letters[n] for n in statement.needed if n not in known]
    left_out = ", ".join(f"whole {x.name}" if x.quantity.whole else x.name for x in open_)
    conflict = _conflict(statement.admissible, known, letters)
    if conflict:
        labels = tuple(c.label for c in conflict)
        together = f"{' and '.join(labels)}{' together' if len(labels) > 1 else ''}"
        detail = f"no {left_out} satisfy {together}" if left_out else f"fails {together}"
        return SettingVerdict(setting, statement.id, False, labels, detail)
    if _empty(statement.admissible, known, letters) is None:
        return SettingVerdict(setting, statement.id, None, (), f"undecided for {left_out} together")
    subject = f"some {left_out} satisfy every condition" if left_out else "every condition holds"
    return SettingVerdict(
        setting, statement.id, True, (), subject + _smoothness(statement, known, _domains(letters))
    )


def _smoothness(statement: Statement, known: Mapping[str, Fraction], domains: Mapping[str, Interval]) -> str:
    """In words, the largest L that the conditions leave where the text does not say L; "" for any."""
    letters = [x for x in statement.letters if x.means in SMOOTHNESS and x.name not in known]
    for letter in letters:
        try:
            found = admissible(statement.admissible, letter.name, known, domains)
        except InputError:
            continue
        most = found.intervals[-1][1] if found.intervals else None
        if most is not None:
            exact, sign = found.exact[-1][1], "<" if found.stretches[-1].hi_open else "<="
            value = exact if exact and len(exact) <= SHORT else f"about {most:.4g}"
            return f", only with {letter.name} {sign} {value}, and the text does not say {letter.name}"
    return ""


def _domains(letters: Mapping[str, Letter]) -> dict[str, Interval]:
    return {name: letter.domain for name, letter in letters.items()}


def _conflict(
    conditions: Sequence[Condition], known: Mapping[str, Fraction], letters: Mapping[str, Letter]
) -> tuple[Condition, ...]:
    """A smallest set of conditions proved to exclude each other, or none."""
    for size in range(1, len(conditions) + 1):
        for chosen in combinations(conditions, size):
            if _empty(chosen, known, letters):
                return chosen
    return ()


def _empty(
    conditions: Sequence[Condition], known: Mapping[str, Fraction], letters: Mapping[str, Letter]
) -> bool | None:
    """Whether no values of the other letters satisfy the conditions; None where it was not decided.

    Letters that count take whole values. One of them is asked for: its range is where the others can be
    completed. With several, the least and the largest whole value of one are tried with the rest. Of a
    power whose exponent is left out only a base between 0 and 1 is looked at: none there proves nothing.
    """
    names = sorted(set().union(*(names_in(c.relation) for c in conditions)))
    given = {n: known[n] for n in names if n in known}
    unknown = [n for n in names if n not in known]
    if not unknown:
        return not all(evaluate_relation(c.relation, given).holds for c in conditions)
    counted = [n for n in unknown if letters[n].quantity.whole]
    for target in counted or unknown:
        try:
            found = admissible(conditions, target, given, _domains(letters), explain=False)
        except InputError:
            continue
        if found.empty:
            return None if in_exponents(conditions) & {*unknown} - {target} else True
        if not counted:
            return False
        if len(counted) == 1 or found.integers is None:
            return _none_whole(found)
        ends = [end for end in found.integers if end is not None]
        said = (_empty(conditions, {**known, target: Fraction(end)}, letters) for end in ends)
        return False if False in said else None
    return None


def _none_whole(found: Range) -> bool | None:
    """Whether a range holds no whole number; None where its ends are enclosures, rounded inward."""
    if found.integers is not None:
        return False
    return True if found.method == "exact" else None
