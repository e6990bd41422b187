"""Letters of the papers that mean several things."""

from __future__ import annotations

from dataclasses import dataclass

from fedproof.bounds import catalog


@dataclass(frozen=True)
class Meaning:
    """What a letter means in some statements of a paper."""

    letter: str
    quantity: str
    meaning: str
    paper: str
    statements: tuple[str, ...]


def letters() -> tuple[Meaning, ...]:
    """Letters that mean two quantities or more in the papers, with the statements in which they do.

    >>> [m.quantity for m in letters() if m.letter == "sigma2"]
    ['gradient_variance', 'dissimilarity', 'gradient_variance']
    """
    meant: dict[str, dict[tuple[str, str], list[str]]] = {}
    said = {}
    for statement in catalog.statements():
        for letter in statement.letters:
            said[letter.means] = letter.quantity.meaning
            at = meant.setdefault(letter.name, {}).setdefault((letter.means, statement.paper), [])
            at.append(statement.id)
    return tuple(
        Meaning(name, quantity, said[quantity], paper, tuple(ids))
        for name, rows in sorted(meant.items())
        if len({quantity for quantity, _ in rows}) > 1
        for (quantity, paper), ids in sorted(rows.items(), key=lambda row: row[0][::-1])
    )
