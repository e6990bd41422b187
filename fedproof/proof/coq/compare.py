"""Whether Coq files state what the rows of an audit say: read back by a parser of its own.

Nothing of the exporter is used, and nothing but the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

_TOKEN = re.compile(r"\[[+*]\]|/\\|<=|<>|->|=>|%Z|[A-Za-z_][\w']*|[0-9]+|[-+*/^=<,:()]|\S")
_LEMMA = re.compile(r"Lemma (\S+) : (.*?)\.\nProof\.\n(.*?)\nQed\.\n", re.S)
_REST = re.compile(
    r"\s*(From Coq Require Import Reals\.|Require Import [\w ]+\.|Open Scope R_scope\.|"
    r"Set Default Timeout \d+\.|\(\* [^*]* \*\)|\s)*"
)
_SORTS = {"real": "R", "whole": "Z", "vector": "V"}
_HEADS = {"abs": "Rabs", "max": "Rmax", "min": "Rmin", "ip": "ip", "n2": "n2", "exp": "exp", "log": "ln"}
_ORDERS = {"<=": "<=", "<": "<", "=": "=", "!=": "<>"}

Kinds = Mapping[str, str]


class Differs(ValueError):
    """A file does not state what the rows say; the message says where."""


def compare(text: str, rows: Mapping[str, Any]) -> list[str]:
    """The lemmas of a file, each of which states what the certificate of its name does.

    Arguments:
        text: the file.
        rows: certificates by the names of their lemmas.

    Raises: Differs.
    """
    found = []
    for name, stated, proof in _LEMMA.findall(text):
        if name not in rows or name in found:
            raise Differs(f"{name}: no row of this name, or two lemmas")
        if re.search(r"(\A|\n|\.\s+)(?!\s|[a-z{}]|2: \{)", proof):
            raise Differs(f"{name}: its proof is not made of tactics alone")
        if _tried(stated) != expected(rows[name]):
            raise Differs(f"{name}: it states something else")
        found.append(name)
    if not _REST.fullmatch(_LEMMA.sub("", text)):
        raise Differs("there is more than lemmas in the file")
    return found


def _tried(stated: str) -> Any:
    """What a statement says; nothing, where it is none of these."""
    try:
        return read(stated)
    except (AttributeError, IndexError, TypeError, ValueError):
        return None


# What a certificate says


def expected(row: Any) -> Any:
    """Names, hypotheses and claim of a certificate, in plain form."""
    names = row["names"]
    bound = [(f"_{n}", _type(k)) for n, k in names.items()]
    if any("vector" in k for k in names.values()):
        bound.insert(0, ("V", "Space"))
    return bound, [_said(g["is"], names) for g in row["given"]] + [_said(row["claim"], names)]


def _outside(index: str, *ends: Any) -> None:
    """An index is another name in Coq than one in its range."""
    for e in ends:
        if isinstance(e, list):
            _outside(index, *e)
        elif e == index:
            raise Differs(f"the index {index} stands in its own range")


def _type(kind: str) -> str:
    words = re.findall(r"\w+", kind)
    return " -> ".join(_SORTS[w] for w in (*words[1:], words[0]))


def _said(raw: Any, kinds: Kinds) -> Any:
    head, *parts = raw
    if head == "all":
        i, lo, hi, body = parts
        inner = {**kinds, i: "whole"}
        _outside(i, lo, hi)
        return "all", f"_{i}", _tree(lo, kinds, True), _tree(hi, kinds, True), _said(body, inner)
    if head == "every":
        x, kind, body = parts
        return "every", f"_{x}", _type(kind), _said(body, {**kinds, x: kind})
    sides = [_tree(p, kinds, False, _vector(parts, kinds)) for p in parts]
    owed = frozenset(need for p in parts for need in _owed(p, kinds))
    return "holds", owed, (_ORDERS[head], *sides)


def _vector(parts: Any, kinds: Kinds) -> bool:
    return any(_is_vector(p, kinds) for p in parts)


def _is_vector(raw: Any, kinds: Kinds) -> bool:
    if isinstance(raw, str):
        return kinds.get(raw) == "vector"
    if raw[0] == "sum":
        return _is_vector(raw[4], {**kinds, raw[1]: "whole"})
    if raw[0] == "of":
        return kinds[raw[1]].startswith("vector")
    return raw[0] in ("+", "*") and _vector(raw[1:], kinds)


def _tree(raw: Any, kinds: Kinds, whole: bool, vector: bool = False) -> Any:
    if isinstance(raw, str):
        if raw in kinds:
            return ("IZR", f"_{raw}") if kinds[raw] == "whole" and not whole else f"_{raw}"
        return "vzero" if vector else Fraction(raw)
    head, *parts = raw
    if head == "^":
        n = Fraction(parts[1])
        base = _tree(parts[0], kinds, whole)
        base = ("sqrt", base) if n.denominator == 2 else base
        raised = base if abs(n.numerator) == 1 else ("^", base, Fraction(abs(n.numerator)))
        return ("/", raised) if n < 0 else raised
    if head == "sum":
        i, lo, hi, body = parts
        inner = {**kinds, i: "whole"}
        ends = (_tree(e, kinds, True) for e in (lo, hi))
        vector = _is_vector(body, inner)
        return "vsum" if vector else "sumZ", *ends, ("fun", f"_{i}", _tree(body, inner, False, vector))
    if head == "of":
        wanted = re.findall(r"\w+", kinds[parts[0]])[1:]
        told = (_tree(p, kinds, k == "whole", k == "vector") for p, k in zip(parts[1:], wanted, strict=True))
        return f"_{parts[0]}", *told
    if head in _HEADS:
        return _HEADS[head], *(_tree(p, kinds, False, head in ("ip", "n2")) for p in parts)
    if vector and head == "*":
        (inner_vector,) = (p for p in parts if _is_vector(p, kinds))
        scale = [_tree(p, kinds, False) for p in parts if p is not inner_vector]
        inside = _tree(inner_vector, kinds, False, True)
        return ("[*]", _row("*", scale), inside) if scale else inside
    return _row("[+]" if vector else head, [_tree(p, kinds, whole, vector) for p in parts])


def _row(sign: str, parts: list[Any]) -> Any:
    return (sign, *parts) if len(parts) > 1 else parts[0]


def _owed(raw: Any, kinds: Kinds) -> Iterator[Any]:
    """What an expression needs to be defined."""
    if isinstance(raw, str):
        return
    head, *parts = raw
    if head == "sum":
        i, lo, hi, body = parts
        first, last = (_tree(e, kinds, True) for e in (lo, hi))
        _outside(i, lo, hi)
        yield ("holds", frozenset(), ("<=", ("-", first, Fraction(1)), last))
        for need in _owed(body, {**kinds, i: "whole"}):
            yield ("all", f"_{i}", first, last, need)
        return
    if head == "^":
        n, base = Fraction(parts[1]), parts[0]
        number = Fraction(base) if isinstance(base, str) and base not in kinds else None
        if n.denominator > 1 and (number is None or number < 0):
            yield ("holds", frozenset(), ("<=", Fraction(0), _tree(base, kinds, False)))
        inner = base
        while isinstance(inner, list) and inner[0] == "^":  # a power or root is 0 only where its base is
            inner = inner[1]
        fixed = isinstance(inner, str) and inner not in kinds and Fraction(inner) != 0
        if n < 0 and not fixed:
            yield ("holds", frozenset(), ("<>", _tree(inner, kinds, False), Fraction(0)))
        yield from _owed(base, kinds)
        return
    if head == "log":
        yield ("holds", frozenset(), ("<", Fraction(0), _tree(parts[0], kinds, False)))
    for p in parts[1:] if head == "of" else parts:
        yield from _owed(p, kinds)


# What a file says


def read(text: str) -> Any:
    """Names, hypotheses and claim of a statement, in plain form."""
    items = _grouped(iter([t for t in _TOKEN.findall(text) if t != "%Z"]), False)
    bound = []
    if items[0] == "forall":
        end = items.index(",")
        bound = [(g[0], " ".join(map(str, g[2:]))) for g in items[1:end]]
        if any(g[1] != ":" for g in items[1:end]):
            raise Differs("names without kinds")
        items = items[end + 1 :]
    return bound, [_proposition(part[0]) for part in _split(items, "->")]


def _grouped(tokens: Iterator[str], inside: bool) -> list[Any]:
    found: list[Any] = []
    for t in tokens:
        if t == ")":
            if not inside:
                raise Differs("brackets")
            return found
        found.append(_grouped(tokens, True) if t == "(" else t)
    if inside:
        raise Differs("brackets")
    return found


def _split(items: list[Any], sign: str) -> list[list[Any]]:
    parts: list[list[Any]] = [[]]
    for item in items:
        if item == sign:
            parts.append([])
        else:
            parts[-1].append(item)
    if not all(parts):
        raise Differs(f"nothing beside {sign}")
    return parts


def _proposition(items: Any) -> Any:
    if items[0] == "forall":
        comma = items.index(",")
        name, kind, rest = items[1], " ".join(items[3:comma]), items[comma + 1 :]
        if items[2] != ":":
            raise Differs("no kind")
        if "->" not in rest:
            (inner,) = rest
            return "every", name, kind, _proposition(inner)
        (lo, one, i, two, hi), arrow, inner = rest
        if (kind, one, i, two, arrow) != ("Z", "<=", name, "<=", "->"):
            raise Differs("no range")
        return "all", name, _expression(lo), _expression(hi), _proposition(inner)
    if "/\\" in items:
        *owed, claim = (_proposition(part[0]) for part in _split(items, "/\\"))
        if claim[:2] != ("holds", frozenset()) or any(len(p) > 1 for p in _split(items, "/\\")):
            raise Differs("no relation")
        return "holds", frozenset(owed), claim[2]
    (sign,) = (s for s in items if isinstance(s, str) and s in ("<=", "<", "=", "<>"))
    one, two = _split(items, sign)
    return "holds", frozenset(), (sign, _side(one), _side(two))


def _side(items: list[Any]) -> Any:
    return _expression(items[0] if len(items) == 1 else items)


def _expression(item: Any) -> Any:
    if isinstance(item, str):
        return Fraction(item) if item.isdigit() else item
    if item == ["@", "vzero", "V"]:
        return "vzero"
    if len(item) == 2 and item[0] == "-":
        return -Fraction(item[1])
    if len(item) == 2 and item[0] == "/":
        return "/", _expression(item[1])
    if item[0] == "fun":
        _, name, colon, kind, arrow, inside = item
        if (colon, kind, arrow) != (":", "Z", "=>"):
            raise Differs("no function")
        return "fun", name, _expression(inside)
    if len(item) == 3 and item[1] == "/":
        return Fraction(_expression(item[0]), _expression(item[2]))
    for sign in ("+", "*", "^", "-", "[+]", "[*]"):
        if sign in item[1::2] and all(s == sign for s in item[1::2]):
            return sign, *(_expression(p) for p in item[0::2])
    return (item[0], *(_expression(p) for p in item[1:])) if len(item) > 1 else _expression(item[0])
