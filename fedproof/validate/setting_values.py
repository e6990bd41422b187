"""The numbers of a paper's setting, as letters of one of its statements."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from fedproof.bounds import catalog
from fedproof.bounds.statement import PaperSetting, Statement
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.letters import read_letters
from fedproof.vocabulary.quantities import Quantity
from fedproof.vocabulary.values import parse_value


def stated(setting: PaperSetting, statement: Statement) -> dict[str, Fraction]:
    """Values by letter of the statement; letters of the setting's other statements are left out.

    Raises: InputError for one that is said twice, UnknownName for a name that none of its statements has.
    """
    names = [name for name, _ in setting.parameters]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(twice, f"twice in {setting.where}", "each letter once", "leave one of the two out")
    mine = _quantities(statement)
    every = mine | {n: q for id in setting.statements for n, q in _quantities(catalog.statement(id)).items()}
    known = _names(every)
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise UnknownName(f"symbol in {setting.where}", unknown, [*every, "one of its extra values"])
    spoken = _names(mine)
    said = {name: value for name, value in setting.parameters if name in spoken}
    return read_letters(f"symbol of {statement.id}", mine, said, read=_number)


def outside(known: Mapping[str, Fraction], statement: Statement) -> dict[str, str]:
    """What is wrong with values that make no sense at all, by what they break.

    >>> outside({"tau": Fraction(7, 2)}, catalog.statement("fedproxvr.lemma1.sarah"))
    {'whole tau': 'tau = 7/2 is not whole'}
    """
    found = {}
    for name, value in known.items():
        quantity = _quantities(statement)[name]
        if value not in quantity.domain:
            found[f"domain of {name}"] = f"{name} = {value} is not {quantity.domain.describe()}"
        elif quantity.whole and value.denominator > 1:
            found[f"whole {name}"] = f"{name} = {value} is not whole"
    return found


def _quantities(statement: Statement) -> dict[str, Quantity]:
    return {letter.name: letter.quantity for letter in statement.letters}


def _names(quantities: Mapping[str, Quantity]) -> set[str]:
    """Letters and canonical words."""
    return {*quantities, *(q.name for q in quantities.values())}


def _number(value: object, of: Quantity, given_name: str) -> Fraction:
    """A number as it is written, in the quantity's domain or not."""
    return parse_value(value, given_name)
