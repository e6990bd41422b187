"""Names typed with Greek letters, accents and raised digits, and the ASCII names that they may stand for."""

from __future__ import annotations

import unicodedata
from collections.abc import Container

#: what letters are called here where their name in Unicode is another one
_SHORT = {"lamda": ("lam", "lambda"), "epsilon": ("eps", "epsilon")}
_ACCENTS = {"COMBINING TILDE": "_t", "COMBINING CIRCUMFLEX ACCENT": "_hat"}


def ascii_name(name: str, known: Container[str]) -> str:
    """The known name that a typed one stands for; the typed one where there is none.

    >>> ascii_name("σ²", {"sigma2"}), ascii_name("η̃", {"eta", "eta_t"}), ascii_name("λ", {"lam"})
    ('sigma2', 'eta_t', 'lam')
    >>> ascii_name("σ²", {"tau"})
    'σ²'
    """
    if name in known or name.isascii():
        return name
    found = [""]
    for sign in unicodedata.normalize("NFKD", name):
        found = [before + said for before in found for said in _said(sign)]
    return next((said for said in found if said in known), name)


def _said(sign: str) -> tuple[str, ...]:
    """One sign in ASCII, in each way that it is written here; a bar over a letter is left out."""
    if sign.isascii():
        return (sign,)
    called = unicodedata.name(sign, "")
    if unicodedata.combining(sign):
        return (_ACCENTS.get(called, ""),)
    size, _, letter = called.removeprefix("GREEK ").partition(" LETTER ")
    if not letter:
        return (sign,)
    letter = letter.lower()
    return tuple(s.capitalize() if size == "CAPITAL" else s for s in _SHORT.get(letter, (letter,)))
