"""How a user's table is read: whose a row is, what is foretold, and what becomes of missing values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedproof.vocabulary.errors import InputError
from fedproof.vocabulary.options import Option, Reader, flag, read_options, word

_SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " ", "pipe": "|", "\\t": "\t"}
POLICIES = ("error", "drop", "mean")


def _text(meaning: str) -> tuple[str, Reader]:
    return meaning, lambda name, value: str(value)


def _names() -> tuple[str, Reader]:
    def read(name: str, value: Any) -> tuple[str, ...]:
        return tuple(map(str, value)) if isinstance(value, (list, tuple)) else tuple(str(value).split(","))

    return "names of columns with commas between", read


def _sign() -> tuple[str, Reader]:
    domain = "one sign, or comma, semicolon, tab, space or pipe"

    def read(name: str, value: Any) -> str:
        sign = _SIGNS.get(str(value), str(value))
        if len(sign) != 1 or sign.isalnum() or sign in "\"'.+-_\r\n" or not sign.isascii():
            raise InputError(name, repr(value), domain, f"write {name}=semicolon")
        return sign

    return domain, read


CLIENT = Option("client", None, _text("a column's name"), "whose a row is; each kind of value is a client")
LABEL = Option("label", None, _text("a column's name"), "the label or target; by default the last column")
IGNORE = Option("ignore", None, _names(), "columns that are left out")
MISSING = Option("missing", "error", word(lambda: POLICIES), "what becomes of values that are not there")
STANDARDISE = Option("standardise", False, flag(), "columns of numbers to mean 0 and deviation 1")
DELIMITER = Option("delimiter", None, _sign(), "what stands between cells of text; by default what fits best")

#: of a table with named columns
OF_COLUMNS = (CLIENT, LABEL, IGNORE)
#: of whatever is read from a user
TABLE = (*OF_COLUMNS, MISSING, STANDARDISE, DELIMITER)
NAMES = frozenset(option.name for option in TABLE)


def parted(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of reading, as meant, and the others as they are; one that is None is not given.

    Raises: InputError or UnknownName for a value outside its domain.

    >>> parted({"client": "hospital", "standardise": "yes", "split": "iid"})
    ({'client': 'hospital', 'standardise': True}, {'split': 'iid'})
    """
    own = {name: value for name, value in given.items() if name in NAMES and value is not None}
    rest = {name: value for name, value in given.items() if name not in NAMES}
    return read_options(own, TABLE), rest


def in_words(given: Mapping[str, Any]) -> str:
    """What was chosen, behind the data's name; empty where nothing was.

    >>> in_words({"label": "outcome", "missing": "drop", "client": "site"})
    ' (label=outcome, missing=drop)'
    """
    usual = {option.name: option.default for option in TABLE} | {"client": given.get("client")}
    chosen = [
        f"{option.name}={_shown(given[option.name])}"
        for option in TABLE
        if option.name in given and given[option.name] != usual[option.name] and option is not DELIMITER
    ]
    return f" ({', '.join(chosen)})" if chosen else ""


def _shown(value: Any) -> str:
    return "yes" if value is True else "+".join(value) if isinstance(value, tuple) else str(value)
