"""Re-check an audit with nothing but Python's standard library: python recheck.py audit.json [--json]

For every refuted step and statement that comes with exact numbers, each hypothesis must hold at them and the
claim must fail; where numbers show that hypotheses can hold, they must. Arithmetic is exact, with rationals
and square roots and no rounding; text is parsed, never executed. A missing FILE is read as FILE.xz.
Every certificate of a proof is verified as the page `certificates.md` says, and so is each step that it uses.
Exit code 0: all confirmed; 1: something is not, or is a step without a proof; 2: something was not read.
"""

from __future__ import annotations

import ast
import gc
import json
import lzma
import operator
import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, cached_property, cmp_to_key
from itertools import chain, count, product
from math import ceil, comb, floor, gcd, lcm, prod
from multiprocessing import Pool, cpu_count
from os.path import exists
from typing import Any, NamedTuple
from unicodedata import normalize

# fmt: off
_BOUND = 60  # of exponents and orders of roots
_OTHERS = ("refuted", "damaged", "cited", "open")  # verdicts on steps that need no certificate
_UNPROVED = ("refuted", "vacuous", "open")  # and on statements
# kinds of statements that are confirmed, and those that may stand without a proof
_KINDS = {"bound", "exists", "hidden", "identity", "implies", "minimum", "monotone", "order"}
_SETTLED = {"log_convex"}
_SIGN_OF = "sign of a name"  # the reason of what a name of a step assumes of its sign
_CERTIFIED = ("certificate", "closing", "proofs", "names", "means", "deep")  # where no words are shown
_Mono = tuple[tuple[int, int], ...]  # atoms, falling, with exponents

class _Rejected(ValueError):
    """What is said is not so, or cannot be read."""

def _ask(holds: object, why: str) -> None:
    if not holds:
        raise _Rejected(why)

# Arithmetic: polynomials in atoms. An atom is ("name", n), ("of", f, argument, ...), ("ip", u, v),
# ("power", base, n), ("root", t, q), ("inverse", t) or ("sum", body, end, i).
class _Q:
    """A polynomial in atoms; quotients are those with inverses of polynomials among their atoms."""
    def __init__(self, num: Mapping[_Mono, Fraction | int]) -> None:
        self.num = {m: c for m, c in num.items() if c}
    @cached_property
    def atoms(self) -> frozenset[int]:
        return frozenset(a for m in self.num for a, _ in m)
    @cached_property
    def free(self) -> frozenset[int]:
        return frozenset().union(*(_ATOMS[a].free for a in self.atoms))
    @cached_property
    def key(self) -> frozenset[Any]:
        return frozenset(self.num.items())
    def __hash__(self) -> int:
        return hash(self.key)
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Q) and self.num == other.num
    def number(self) -> Fraction | None:
        return None if self.atoms else Fraction(self.num.get((), 0))
    def total(self) -> bool:
        """Whether it is defined for all values of its names."""
        return all(e > 0 and _ATOMS[a].total for m in self.num for a, e in m)
    @cached_property
    def whole(self) -> bool:
        names = all(_ATOMS[a].what[0] == "name" and _ATOMS[a].what[1].endswith(":whole") for a in self.atoms)
        return names and self.total() and all(c.denominator == 1 for c in self.num.values())
    def __add__(self, other: Any) -> _Q:
        num = dict(self.num)
        for m, c in _q(other).num.items():
            num[m] = num.get(m, 0) + c
        return _Q(num)
    def __sub__(self, other: Any) -> _Q:
        return self + _q(other) * -1
    def __mul__(self, other: Any) -> _Q:
        by, num = _q(other), dict[_Mono, Fraction | int]()
        _ask(len(self.num) * len(by.num) <= 200000, "too large to expand")
        for (m, a), (n, b) in product(self.num.items(), by.num.items()):
            mono = _times(m, n)
            num[mono] = num.get(mono, 0) + a * b
        odd = [m for m in num if not all(_ATOMS[a].kept(e) for a, e in m)]
        return sum((_reduced(m) * num.pop(m) for m in odd), _NIL) + _Q(num)
    def __pow__(self, n: int) -> _Q:
        if n < 0:
            return _inverse(self) ** -n
        _ask(n <= _BOUND**2 and all(abs(c.numerator).bit_length() < 9999 for c in self.num.values()), "huge")
        half = self ** (n // 2) if n > 1 else _ONE
        return half * half * (self if n % 2 else 1)

class _Atom(NamedTuple):
    what: tuple[Any, ...]
    free: frozenset[int]  # the names that it speaks of
    vector: bool
    total: bool
    height: int  # how deep sums are nested
    def kept(self, e: int) -> bool:
        """Whether an exponent of it stands in a normal form: r^q is t for the q-th root r of t."""
        return self.what[0] not in ("root", "inverse") or 0 <= e < (self.what[2:] or (e + 1,))[0]

_NIL, _ONE = _Q({}), _Q({(): 1})
_ATOMS: list[_Atom] = []
_IDS: dict[tuple[Any, ...], int] = {}
_EQUAL: list[Mapping[int, _Q]] = [{}]  # what atoms are read as, the last for now
_FRESH = count()
_SPENT = [0]  # terms that sums of one certificate were written out in

def _q(value: Any) -> _Q:
    return value if isinstance(value, _Q) else _Q({(): _short(value)})

def _short(c: Fraction | int) -> Fraction | int:
    """A whole number as an int, which counts ten times as fast."""
    return c.numerator if c.denominator == 1 else c

def _single(atom: int) -> _Q:
    return _Q({((atom, 1),): 1})

@cache
def _times(m: _Mono, n: _Mono, sign: int = 1) -> _Mono:
    got = dict(m)
    for a, e in n:
        got[a] = got.get(a, 0) + sign * e
    return tuple(sorted(((a, e) for a, e in got.items() if e), reverse=True))

@cache
def _reduced(m: _Mono) -> _Q:
    total = _ONE
    for a, e in m:
        kind, t, *order = _ATOMS[a].what
        k, e = (0, e) if _ATOMS[a].kept(e) else divmod(e, order[0]) if kind == "root" else (-e, 0)
        total = total * (t**k if k else 1) * _Q({((a, e),) if e else (): 1})
    return total

def _parted(q: _Q) -> tuple[Fraction, _Mono, _Q]:
    """Number, monomial and the rest: no common monomial, coprime coefficients, the first positive."""
    every = [dict(m) for m in q.num]
    low = tuple((a, e) for a in sorted(q.atoms, reverse=True) if (e := min(m.get(a, 0) for m in every)))
    top = gcd(*(c.numerator for c in q.num.values())) * (1 if q.num[max(q.num)] > 0 else -1)
    below = lcm(*(c.denominator for c in q.num.values()))
    rest = {_times(m, low, -1): c.numerator // top * (below // c.denominator) for m, c in q.num.items()}
    return Fraction(top, below), low, _Q(rest)

def _exactly(q: _Q, by: _Q) -> _Q | None:
    """q over a polynomial, if that divides it."""
    c, low, rest = _parted(q)
    lead, found, left = max(by.num), dict[_Mono, Fraction | int](), dict(rest.num)
    for _ in range(2 * len(q.num)):
        if not left:
            return _Q(found) * _Q({low: c})
        first = max(left)
        part = _times(first, lead, -1)
        if any(e < 0 for _, e in part):
            return None
        k = _short(Fraction(left[first]) / by.num[lead])
        found[part] = found.get(part, 0) + k
        for m, b in (_Q({part: k}) * by).num.items():
            left[m] = left.get(m, 0) - b
            if not left[m]:
                del left[m]
    return None

@cache
def _lowest(q: _Q) -> tuple[_Q, _Mono]:
    """Numerator and what it is over: inverses that divide it no more, with their powers."""
    over: list[tuple[int, int]] = []
    for a in sorted((a for a in q.atoms if _ATOMS[a].what[0] == "inverse"), reverse=True):
        by, top = _ATOMS[a].what[1], max((dict(m).get(a, 0) for m in q.num), default=0)
        parts: dict[int, dict[_Mono, Fraction | int]] = {}
        for m, c in q.num.items():
            parts.setdefault(top - dict(m).get(a, 0), {})[tuple(p for p in m if p[0] != a)] = c
        q = sum((_Q(part) * by**e for e, part in parts.items()), _NIL)
        while top and q.num and (less := _exactly(q, by)):
            q, top = less, top - 1
        over += [(a, top)] * (top > 0)
    return q, tuple(over) if q.num else ()

def _cleared(q: _Q) -> tuple[_Q, _Q]:
    top, over = _lowest(q)
    return top, prod((_ATOMS[a].what[1] ** e for a, e in over), start=_ONE)

def _inverse(q: _Q) -> _Q:
    top, below = _cleared(q)
    _ask(top.num, "a division by 0")
    c, low, rest = _parted(top)
    inverse = _single(_id("inverse", rest)) if rest.atoms else _ONE
    return below * (1 / c) * _reduced(tuple((a, -e) for a, e in low)) * inverse

def _id(*what: Any) -> int:
    if what not in _IDS:
        kind, first, *_ = what
        inner = {b for p in what if isinstance(p, _Q) for b in p.atoms}.union(what[1:] * (kind == "ip"))
        free = {b for a in inner for b in _ATOMS[a].free}.difference(what[3:] * (kind == "sum"))
        vector = kind in ("name", "of") and _kind(first).startswith("vector")
        total = kind not in ("power", "inverse") and all(_ATOMS[b].total for b in inner)
        total &= all(p.total() for p in what if isinstance(p, _Q))
        if kind == "root":  # of a square of a monomial it is an absolute value
            even = all(c > 0 and all(e % 2 == 0 for _, e in m) for m, c in first.num.items())
            total &= what[2] == 2 and len(first.num) == 1 and even
        vector |= kind == "sum" and any(_ATOMS[b].vector for b in first.atoms)
        height = max((_ATOMS[b].height for b in inner), default=0) + (kind == "sum")
        named = {len(_ATOMS)} if kind == "name" else set()
        _ATOMS.append(_Atom(what, frozenset(free | named), vector, total, height))
        _IDS[what] = len(_ATOMS) - 1
    return _IDS[what]

def _atom(*what: Any) -> _Q:
    return _EQUAL[-1].get(_id(*what)) or _single(_id(*what))

def _put(q: _Q, values: Mapping[int, _Q]) -> _Q:
    """q with values for names, everywhere inside of its atoms."""
    if q.free.isdisjoint(values):
        return q
    return sum((prod((_again(a, values) ** e for a, e in m), start=_q(c)) for m, c in q.num.items()), _NIL)

def _again(a: int, values: Mapping[int, _Q]) -> _Q:
    kind, *parts = _ATOMS[a].what
    if a in values or _ATOMS[a].free.isdisjoint(values):
        return values.get(a) or _single(a)
    if kind == "ip":
        return _inner(*(_again(b, values) for b in parts))
    if kind == "sum":
        i, body = _opened(a)
        return _sum(_put(body, values), i, _put(parts[1], values))
    made = [_put(p, values) if isinstance(p, _Q) else p for p in parts]
    makers: dict[str, Callable[..., _Q]] = {"root": _root, "power": _power, "inverse": _inverse}
    return _atom(kind, *made) if kind == "of" else makers[kind](*made)

def _floor_root(k: int, order: int) -> int:
    low, high = 0, 1 << (k.bit_length() // order + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**order <= k else (low, middle)
    return low

def _root(q: _Q, order: int) -> _Q:
    value = q.number()
    if value is not None and value >= 0:
        found = Fraction(_floor_root(value.numerator, order), _floor_root(value.denominator, order))
        if found**order == value:
            return _q(found)
    top, over = _lowest(q)
    return _atom("root", top * _Q({over: 1}), order)

def _abs(q: _Q) -> _Q:
    if len(q.num) == 1:
        ((mono, c),) = q.num.items()
        return prod((_root(_single(a) * _single(a), 2) ** e for a, e in mono), start=_q(abs(c)))
    got = _root(q * q, 2)
    for a in got.atoms:
        _ATOMS[a] = _ATOMS[a]._replace(total=_ATOMS[a].total or q.total())
    return got

def _power(base: _Q, n: _Q) -> _Q:
    _ask(base.num or not n.atoms, "0 to a power that is no number")
    _ask(n.whole and all(-_BOUND <= c <= _BOUND for c in n.num.values()), "an exponent not whole, or huge")
    top, below = _cleared(base)
    if below.atoms and not top.atoms and top.num:  # (1/b)^n = b^(-n)
        base, n = below * _inverse(top), n * -1
    powers = ((_atom("power", base, _Q({m: 1})) if m else base) ** int(c) for m, c in n.num.items())
    return prod(powers, start=_ONE)

def _inner(u: _Q, v: _Q) -> _Q:
    total = _NIL
    for (m, c), (n, d) in product(u.num.items(), v.num.items()):
        a, b = (next((a for a, _ in mono if _ATOMS[a].vector), -1) for mono in (m, n))
        _ask(min(a, b) >= 0, "no vectors")
        factor = _Q({_times(m, ((a, 1),), -1): c}) * _Q({_times(n, ((b, 1),), -1): d})
        a, b = (a, b) if _ATOMS[a].what[0] == "sum" else (b, a)
        if _ATOMS[a].what[0] == "sum":
            i, body = _opened(a)
            total += factor * _sum(_inner(body, _single(b)), i, _ATOMS[a].what[2])
        else:
            total += factor * _atom("ip", max(a, b), min(a, b))
    return total

# Sums: S(b, i, e) is the sum of b over i from 1 to e, for e < 0 minus the sum from e + 1 to 0.
def _opened(a: int) -> tuple[int, _Q]:
    """Index and body of a sum, with an index of its own."""
    fresh = _id("name", f"~{next(_FRESH)}:whole")
    return fresh, _put(_ATOMS[a].what[1], {_ATOMS[a].what[3]: _single(fresh)})

def _sum(body: _Q, i: int, end: _Q) -> _Q:
    """S(body, i, end): what does not speak of i comes out."""
    total, divided = _NIL, _divided(body, i)
    for m, c in divided.num.items():
        inner = tuple(p for p in m if i in _ATOMS[p[0]].free)
        total += _Q({_times(m, inner, -1): c}) * _term(inner, i, end)
    return total

def _divided(q: _Q, i: int) -> _Q:
    """q with numerators divided by divisors that speak of i, where a power of one atom alone leads."""
    if not any(_ATOMS[a].what[0] == "inverse" and i in _ATOMS[a].free for a in q.atoms):
        return q
    index = _id("name", f"?{max(_ATOMS[a].height for a in q.atoms)}:whole")  # by which atoms keep their order
    _ask(index not in q.free, "an index that is spoken of")
    q = _put(q, {i: _single(index)})
    while found := next(((m, b, lead) for m in q.num for b, _ in m if _ATOMS[b].what[0] == "inverse"
                         and index in _ATOMS[b].free for lead in [max(_ATOMS[b].what[1].num)]
                         if len(lead) == 1 and dict(m).get(lead[0][0], 0) >= lead[0][1]), None):
        m, b, lead = found
        by, k = _ATOMS[b].what[1], _ATOMS[b].what[1].num[lead]  # k lead/by = 1 - (by - k lead)/by
        rest = _Q({_times(_times(m, lead, -1), ((b, 1),), -1): Fraction(q.num[m]) / k})
        q += rest * (_ONE - (by - _Q({lead: k})) * _single(b)) - _Q({m: q.num[m]})
    return _put(q, {index: _single(i)})

def _term(mono: _Mono, i: int, end: _Q) -> _Q:
    """S of a monomial whose atoms speak of i."""
    term = _Q({mono: 1})
    if c := min((c for a in term.atoms for c in _offsets(a, i)), default=0):
        moved = _put(term, {i: _single(i) - c})
        return _sum(moved, i, end + c) - _sum(moved, i, _q(c))
    d, others = dict(mono).get(i, 0), [p for p in mono if p[0] != i]
    if d >= 0 and not others:
        return _powers(d, end)
    k = end.num.get((), 0) if term.total() else 0
    _ask(k.denominator == 1 and -1000 <= k <= 1000, "too many terms between the ends of a sum")
    _SPENT[0] += abs(int(k))
    _ask(_SPENT[0] <= 20000, "too many terms between the ends of sums")
    base, k = end - k, int(k)
    for a in [a for a, e in others if e == 1 and _ATOMS[a].what[0] == "sum" and term.total()]:
        (j, inner), until = _opened(a), _ATOMS[a].what[2]
        rest = _Q({_times(mono, ((a, 1),), -1): 1})
        if until == _single(i) and len(others) == 1 and i not in inner.free:  # by parts
            again = _powers(d, _single(i) - 1) * _put(inner, {j: _single(i)})
            return _powers(d, end) * _sum(inner, j, end) - _sum(again, i, end)
        if i not in until.free and sorted(base.num.items()) < sorted(until.num.items()):
            return _sum(_sum(inner * rest, i, end), j, until)
    index = _id("name", f"@{1 + max(_ATOMS[a].height for a in term.atoms)}:whole")
    _ask(index not in term.free | end.free, "an index that is spoken of")
    total = _atom("sum", _put(term, {i: _single(index)}), base, index) if base.num else _NIL
    for step in range(min(0, k) + 1, max(0, k) + 1):
        total += _put(term, {i: base + step}) * (1 if k > 0 else -1)
    return total

def _offsets(a: int, i: int) -> Iterator[int]:
    """The numbers added to i in the whole arguments of `of`-terms."""
    kind, *parts = _ATOMS[a].what
    for p in parts if i in _ATOMS[a].free and kind != "name" else ():
        if kind == "of" and isinstance(p, _Q) and p.whole and p.num.get(((i, 1),)) == 1:
            yield from [int(p.num.get((), 0))] if sum(i in dict(m) for m in p.num) == 1 else []
        elif isinstance(p, _Q) or kind == "ip":
            yield from (c for b in (p.atoms if isinstance(p, _Q) else [p]) for c in _offsets(b, i))

@cache
def _powers(d: int, end: _Q) -> _Q:
    """1^d + ... + end^d."""
    _ask(d <= _BOUND, "a huge exponent")
    lower = (_powers(k, end) * comb(d + 1, k) for k in range(d))
    return ((end + 1) ** (d + 1) - sum(lower, _ONE)) * Fraction(1, d + 1)

# Numbers: rationals and square roots of them, of which signs are exact.
_COMPARE: dict[Any, Any] = {ast.LtE: operator.le, ast.Lt: operator.lt, ast.GtE: operator.ge,
                            ast.Gt: operator.gt, ast.Eq: operator.eq, ast.NotEq: operator.ne}
_COUNTED: dict[Any, Callable[[_Q, _Q], _Q]] = {ast.Div: lambda a, b: a * _to_the(b, Fraction(-1)),
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}

def _sign(q: _Q) -> int:
    top, below = _cleared(q)
    if below.atoms:
        return _sign(top) * _sign(below)
    if not top.atoms:
        value = top.num.get((), 0)
        return (value > 0) - (value < 0)
    last = max(top.atoms)  # a root: top is a + b last
    b = _Q({m[1:]: c for m, c in top.num.items() if m and m[0][0] == last})
    a = top - b * _single(last)
    of_a, of_b = _sign(a), _sign(b) * _sign(_ATOMS[last].what[1])
    return (of_a or of_b) if of_a * of_b >= 0 else of_a * _sign(a * a - b * b * _ATOMS[last].what[1])

def _to_the(base: _Q, exponent: Fraction | None) -> _Q:
    if exponent is None or max(abs(exponent.numerator), exponent.denominator) > 1000:
        raise ValueError(f"the exponent {exponent}")
    sign, order = _sign(base), exponent.denominator
    if (sign < 0 and order > 1) or (not sign and exponent < 0):
        raise ArithmeticError("the root of a negative number" if sign else "division by zero")
    while order % 2 == 0:
        base, order = _root(base, 2), order // 2
    if order > 1:  # odd, of a fraction that is a power
        base = _root(base, order)
        _ask(not base.atoms, f"a root of order {order}")
    return base**exponent.numerator

def _decimal(q: _Q) -> Decimal:
    def worth(atom: int) -> Decimal:
        kind, t, *_ = _ATOMS[atom].what
        return 1 / _decimal(t) if kind == "inverse" else max(_decimal(t), Decimal(0)).sqrt()
    terms = ((c, prod((worth(a) ** e for a, e in m), start=Decimal(1))) for m, c in q.num.items())
    return sum((by * c.numerator / c.denominator for c, by in terms), Decimal(0))

def _shown(q: _Q) -> str:
    with localcontext(prec=60):
        value = str(q.number())
        return f"{_decimal(q):.12g}" if q.atoms or len(value) > 12 else value

_IN_ORDER: Any = cmp_to_key(lambda x, y: _sign(x - y))
_CALLS: dict[str, Callable[..., _Q]] = {
    "sqrt": lambda a: _to_the(a, Fraction(1, 2)), "abs": lambda a: max(a, a * -1, key=_IN_ORDER),
    "max": lambda *a: max(a, key=_IN_ORDER), "min": lambda *a: min(a, key=_IN_ORDER)}

_CALLED = {*_CALLS, "Abs", "Max", "Min", "Eq", "Ne", "Le", "Lt", "Ge", "Gt", "Rel", "And", "Or", "Not",
           "pi", "E", "exp", "log", "sin", "cos", "Sum", "floor", "ceiling", "factorial", "binomial",
           "and", "or", "not", "if", "else", "is", "in", "lambda"}  # that need no number

def _value(node: ast.AST, at: Mapping[str, _Q]) -> _Q:
    """The exact value of parsed arithmetic."""
    match node:
        case ast.Constant(value=number) if type(number) is int:
            return _q(number)
        case ast.Name(id=name) if name in at:
            return at[name]
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return _value(inner, at) * -1
        case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
            return _to_the(_value(base, at), _value(exponent, at).number())
        case ast.BinOp(left=left, op=kind, right=right) if type(kind) in _COUNTED:
            return _COUNTED[type(kind)](_value(left, at), _value(right, at))
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as args, keywords=[]) if name.lower() in _CALLS:
            return _CALLS[name.lower()](*(_value(a, at) for a in args))
    raise ValueError(f"no plain arithmetic: {ast.unparse(node)}")

def _sides(text: str, at: Mapping[str, _Q]) -> tuple[Any, _Q, _Q]:
    """How a relation compares two exact values, and these."""
    _ask("#" not in text, "a comment")
    match ast.parse(text, mode="eval").body:
        case ast.Compare(left=one, ops=[kind], comparators=[two]) if type(kind) in _COMPARE:
            return type(kind), _value(one, at), _value(two, at)
        case ast.Call(func=ast.Name(id="Eq" | "Ne" as name), args=[one, two], keywords=[]):
            return {"Eq": ast.Eq, "Ne": ast.NotEq}[name], _value(one, at), _value(two, at)
    raise ValueError(f"no relation: {text}")

def _decided(text: str, at: Mapping[str, _Q]) -> tuple[bool, str]:
    """Whether a relation holds at a point, and both sides; one that is undefined there does not hold."""
    try:
        kind, one, two = _sides(text, at)
        order = _sign(one - two)
    except ArithmeticError as why:
        return False, f"undefined, {why}"
    return _COMPARE[kind](order, 0), f"{_shown(one)} {'=><'[order]} {_shown(two)}"

def _counted(row: Any) -> set[str]:
    """The names that a row, or one of its certificates, takes to be whole numbers."""
    said = [row.get("certificate"), row.get("closing"), *(row.get("proofs") or ())]
    kinds = [(row.get("says") or {}).get("kinds", {}), *(p["names"] for p in said if p)]
    return {n for names in kinds for n, kind in names.items() if kind == "whole"}

def _point(raw: Mapping[str, Any], whole: set[str]) -> dict[str, _Q]:
    """Numbers as they are written, by name."""
    _ask(all(n != "pi" and n == normalize("NFKC", n) for n in raw), "no name")
    return _counting({n: _q(_number(v)) for n, v in raw.items()}, whole)

def _counting(at: dict[str, _Q], whole: set[str]) -> dict[str, _Q]:
    """A point at which names that count are whole numbers."""
    values = [at[n].number() for n in whole & at.keys()]
    _ask(all(v is not None and v.denominator == 1 for v in values), "a number that is not whole")
    return at

def _speaks_of(text: str, at: Mapping[str, _Q]) -> bool:
    """Whether a text, a relation or words, speaks of nothing but numbers at a point."""
    told = {*at, *_CALLED}
    try:
        parts = [*ast.walk(ast.parse(text, mode="eval"))]
    except SyntaxError:
        return {*re.findall(r"[^\W\d]\w*'*", normalize("NFKC", text))} <= told
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    return names <= told and text != "True"

def _out(raw: Any, named: Mapping[str, Any]) -> Any:
    """A tree with what is defined written out."""
    inner = (_out(part, named) for part in raw[1:]) if isinstance(raw, list) else ()
    return [raw[0], *inner] if isinstance(raw, list) else named.get(raw, raw)

def _said(raw: Any, named: Mapping[str, Any]) -> str:
    """A relation written out, as arithmetic has it."""
    return _text(_out(raw, named)).replace(" = ", " == ")

def _conditions(says: Any, at: Mapping[str, _Q]) -> list[str]:
    """What a statement says of its letters, and of those at a point that are defined, written out."""
    named = dict(says.get("where", ()))
    given = [_said(g["is"], named) for g in says.get("given", ())]
    return given + [f"{name} == {_text(value)}" for name, value in named.items() if name in at]

def _defines(text: str) -> tuple[str, ast.AST | None]:
    """The name that an equation gives a value, and the value."""
    match _maybe(ast.parse, text, "", "eval"):
        case ast.Expression(ast.Call(func=ast.Name("Eq"), args=[ast.Name(name), value], keywords=[])):
            return name, value
    return "", None

def _plain_names(tree: ast.AST) -> set[str] | None:
    """The names in plain arithmetic; None for what has a sum, or calls another function."""
    called = [part.func for part in ast.walk(tree) if isinstance(part, ast.Call)]
    plain = all(isinstance(f, ast.Name) and f.id in _CALLED - {"Sum"} for f in called)
    return {part.id for part in ast.walk(tree) if isinstance(part, ast.Name)} if plain else None

def _everywhere(texts: Sequence[str], at: dict[str, _Q], whole: set[str]) -> dict[str, _Q]:
    """A point, with what equations define; each name of plain arithmetic has a number or coordinates."""
    meant = [(name, v) for name, v in map(_defines, texts) if v and name not in _CALLED]
    while new := {n: q for n, v in meant if n not in at and (q := _maybe(_value, v, at)) is not None}:
        at = new | at
        _ask(all(abs(c.numerator).bit_length() < 9999 for q in new.values() for c in q.num.values()), "huge")
    numbers, spoken = {*at, *_CALLED}, [(n, _plain_names(v)) for n, v in meant]
    told = numbers | {m[1] for n in at if (m := re.fullmatch(r"(.+?)(_[0-9]+)+", n))}
    while more := {n for n, names in spoken if n not in told
                   and (names is None or (names <= told and not names <= numbers))}:
        told |= more
    for text in texts:
        tree = _maybe(ast.parse, text, "", "eval")
        _ask(tree or " for " in text, f"no formula: {text}")
        missing = sorted((_plain_names(tree) or set()) - told) if tree else []
        _ask(not missing, f"no number for {', '.join(missing)}")
    return _counting(at, whole)

_SHOWN = {">": (">", ">=", "!="), "<": ("<", "<=", "!="), "=": ("=", "<=", ">=")}  # how an order is written

def _shows(text: str, sides: str) -> bool:
    """Whether both sides and their order are written as they are, to six digits."""
    if sides.startswith("undefined"):
        return "undefined" in text.split(" ")
    (one, sign, two), (a, order, b) = text.split(" "), sides.split(" ")
    return sign in _SHOWN[order] and all(x == y or _near(x, _q(Fraction(y))) for x, y in ((one, a), (two, b)))

def _near(text: str, q: _Q) -> bool:
    """Whether a number is written as it is, to six digits."""
    decimal = re.fullmatch(r"-?[0-9]+[.]?[0-9]*(e[-+]?[0-9]{1,4})?", text)
    value = _q(Fraction(text)) if decimal else _value(ast.parse(text, mode="eval").body, {})
    size, gap = (max(d, d * -1, key=_IN_ORDER) for d in (q, value - q))
    return _sign(gap * 10**6 - size) <= 0

def _boxed(box: Any, claim: str, at: Mapping[str, _Q], beside: Container[str]) -> tuple[str, bool]:
    """The line with its numbers, and whether it is the claim's, its values and hypotheses as they are."""
    line = f"({box['left']['filled']}) {'='[box['sign'] != '=':]}{box['sign']} ({box['right']['filled']})"
    (kind, *here), (sign, *there) = _sides(claim, at), _sides(line, {})
    same = kind is sign and not any(_sign(a - b) for a, b in zip(here, there, strict=True))
    written = [(part[key], q) for part, q in zip((box["left"], box["right"]), there, strict=True)
               for key in ("terms", "value", "decimal") if part.get(key)]
    held = all(said in beside for _, said in box.get("holds", ()))
    return line, same and held and all(_near(text, q) for text, q in written)

def _checked(row: Any, refuted: bool) -> tuple[int, str]:
    """The hypotheses of an instance and of its row hold, both claims fail, and the row shows what fails."""
    asked, box, whole = row["instance" if refuted else "example"], row.get("worked"), _counted(row)
    raw = (row["witness"] if refuted else asked["at"]) or {}
    at, sides_of = _point(raw, whole), asked.get("given_sides") or []
    _ask(len(sides_of) in (0, len(asked["given"])), "sides of what is no hypothesis")
    at = _everywhere(row.get("given") or (), at, whole) if refuted else at
    given = [*asked["given"], *(t for t in row.get("given") or () if _speaks_of(t, at))]
    given += _conditions(row.get("says") or {}, at)
    shown = [t for t in [row.get("claim")] if t and _speaks_of(t, at)]
    given += [] if refuted or row["verdict"] not in ("proved", "holds") else shown
    for k, text in enumerate((*given, *((*shown, asked["claim"]) if refuted else ()))):
        holds, sides = _decided(text, at)
        if holds is not (k < len(given)):
            return 1, f"NOT CONFIRMED: the {'claim holds' if holds else f'hypothesis {text} fails'}: {sides}"
        if k < len(sides_of) and not _shows(sides_of[k], sides):
            return 1, f"NOT CONFIRMED: beside {text} stands {sides_of[k]}: {sides}"
    beside = [v for _, v in (row.get("numbers") or {}).get("given", ())] or [*raw.values()]
    if asked.get("at", raw) != raw or beside != [*raw.values()]:
        return 1, "NOT CONFIRMED: other numbers stand beside these"
    if not refuted:
        return 0, f"confirmed: {len(asked['given'])} hypotheses hold together"
    for text in (asked.get("sides"), row.get("sides")):
        if text and not _shows(text, sides):
            return 1, f"NOT CONFIRMED: beside {asked['claim']} stands {text}: {sides}"
    if box:
        line, same = _boxed(box, asked["claim"], at, sides_of)
        sides, shown = (sides, [line]) if same else ("", [])
    return (0, f"confirmed: {sides}") if shown else (1, "NOT CONFIRMED: the row shows another claim, or none")

def recheck(document: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    """For everything in an audit that can be re-checked: its id, 0 (confirmed), 1 (not) or 2, and why."""
    for row in [*_steps(document), *document["statements"]]:
        if row.get("instance") or row.get("example"):
            try:
                yield str(row.get("id")), *_checked(row, bool(row.get("instance")))
            except Exception as why:
                yield str(row.get("id")), 2, f"could not be read: {why}"

# Trees, as certificates.md says: a tree is a Fraction, a name with its kind ("x:real"; "#0:whole" is bound)
# or a tuple that begins with its head.
_NUMBER = re.compile(r"-?[0-9]{1,1000}(/[0-9]{1,1000})?")
_KIND = re.compile(r"real|whole|vector|(real|vector)\((whole|vector)(,(whole|vector))*\)")
_HEADS = {**dict.fromkeys(("abs", "exp", "log", "sin", "cos"), "real(real)"), "n2": "real(vector)",
          **dict.fromkeys(("max", "min"), "real(real,real)"), "ip": "real(vector,vector)"}
_GROUNDS = {"listed", "assumption", "cited", "carried", "meaning"}
_OPPOSITE = {"<=": "<", "<": "<=", "=": "!=", "!=": "="}
_SIGN = {"<": "+", "<=": "0+", "=": "0", "!=": "+-"}  # of right - left; 0+ may be zero, +- is not zero
_DENIED = {"<=": "+", "<": "0+", "!=": "0", "=": "+-"}  # of left - right where the relation is false
_WORDS = {"all": "{3} for {0} = {1}..{2}", "every": "{2} for every {0}", "sum": "sum({3}, {0} = {1}..{2})",
          **{head: f"{{0}} {head} {{1}}" for head in _SIGN}}
_Tree = Any

@cache
def _number(raw: str) -> Fraction:
    _ask(_NUMBER.fullmatch(raw) and str(Fraction(raw)) == raw, f"neither name nor number: {raw!r:.80}")
    return Fraction(raw)

@cache
def _kind(leaf: str) -> str:
    return leaf.partition(":")[2]

class _Names(dict[str, str]):
    """What names stand for where a tree is read: a name with its kind, or that of a bound index."""
    def __init__(self, of: Mapping[str, str], used: set[str], depth: int = 0) -> None:
        super().__init__(of)
        self.used, self.depth = used, depth
    def new(self, leaves: Mapping[str, str], bound: int = 0) -> _Names:
        for name, leaf in leaves.items():
            plain = name.rstrip("'").replace("_", "a")
            _ask(plain[:1].isalpha() and plain.isalnum(), f"no name: {name}")
            _ask(name == normalize("NFKC", name), f"not in normal form: {name}")
            _ask((bound or name not in self) and name != "pi", f"not a new name: {name}")
            _ask("(" not in leaf or name not in (*_HEADS, "sqrt", "sum"), f"it reads otherwise: {name}")
            self.used |= {f"index {name}"} if bound else set()
        return _Names({**self, **leaves}, self.used, self.depth + bound)
    def leaf(self, name: str) -> str:
        self.used.add(self[name])
        return self[name]
    def value(self, raw: Any, kind: str) -> _Tree:
        """An expression, name or map of a kind."""
        if "(" not in kind:
            tree, sort = self.read(raw)
            fits = sort in ("zero", "vector" if kind == "vector" else "real")
            _ask(fits and (kind != "whole" or _PLAIN(tree).whole), f"not {kind}: {raw!r:.80}")
            _ask(kind != "whole" or not _PLAIN.idle(tree), "a whole number with a sum that may be empty")
            return tree
        if isinstance(raw, str):
            _ask(_kind(self.leaf(raw)) == kind, f"not {kind}: {raw}")
            return self[raw]
        (head, names, body), (result, *kinds) = raw, re.findall(r"\w+", kind)
        pairs = enumerate(zip(names, kinds, strict=True))
        leaves = {name: f"#{self.depth + k}:{of}" for k, (name, of) in pairs}
        _ask(head == "map" and len(leaves) == len(names), "no map")
        return "map", tuple(leaves.values()), self.new(leaves, len(leaves)).value(body, result)
    def read(self, raw: Any) -> tuple[_Tree, str]:
        """An expression and what it is: real, vector or zero (either)."""
        if isinstance(raw, str):
            if raw in self:
                _ask("(" not in self[raw], f"{raw} without arguments")
                return self.leaf(raw), "vector" if _kind(self[raw]) == "vector" else "real"
            return ("pi",) if raw == "pi" else _number(raw), "zero" if raw == "0" else "real"
        head, *args = raw
        if head in ("+", "*"):
            trees, found = zip(*map(self.read, args), strict=True)
            vector = found.count("vector")
            _ask(vector <= 1 if head == "*" else not (vector and "real" in found), "vectors and numbers")
            return (head, *trees), "vector" if vector else "real"
        if head == "^":
            base, n = (self.value(a, "real") for a in args)
            if isinstance(n, Fraction):
                _ask(max(abs(n.numerator), n.denominator) <= _BOUND, "a huge exponent")
            return (head, base, n if isinstance(n, Fraction) else self.value(args[1], "whole")), "real"
        if head == "sum":
            (name, *ends, body), leaf = args, f"#{self.depth}:whole"
            lo, hi = (self.value(e, "whole") for e in ends)
            tree, sort = self.new({name: leaf}, 1).read(body)
            return (head, leaf, lo, hi, tree), "vector" if sort == "vector" else "real"
        function = [self.leaf(args.pop(0))] if head == "of" else []
        result, *kinds = re.findall(r"\w+", _kind(*function) if function else _HEADS.get(head, ""))
        _ask(kinds, f"no expression: {raw!r:.80}")
        return (head, *function, *(self.value(a, k) for a, k in zip(args, kinds, strict=True))), result
    def relation(self, raw: Any) -> _Tree:
        head, *args = raw
        if head in ("all", "every"):
            name, *ends, body = args
            leaf = f"#{self.depth}:{ends.pop() if head == 'every' else 'whole'}"
            fits = len(ends) == 2 * (head == "all") and _KIND.fullmatch(_kind(leaf))
            _ask(fits, f"no relation: {raw!r:.80}")
            inner = self.new({name: leaf}, 1).relation(body)
            return head, leaf, *(self.value(e, "whole") for e in ends), inner
        (one, s), (two, t) = (self.read(a) for a in args)
        vector = "vector" in (s, t)
        fits = head in _SIGN if not vector else head == "=" and "real" not in (s, t)
        _ask(fits, f"no relation: {raw!r:.80}")
        return "=v" if vector else head, one, two

def _swap(tree: _Tree, values: Mapping[str, _Tree], depth: int = 0) -> _Tree:
    """A tree with values for free names, all at once; bound names are named by their depth."""
    if isinstance(tree, str):
        return _swap(values[tree], {}, depth) if tree in values else tree
    match tree:
        case ("sum" | "all" | "every" as head, leaf, *ends, body):
            new = f"#{depth}:{_kind(leaf)}"
            inside = _swap(body, {**values, leaf: new}, depth + 1)
            return head, new, *(_swap(e, values, depth) for e in ends), inside
        case ("map", leaves, body):
            own = {leaf: f"#{depth + k}:{_kind(leaf)}" for k, leaf in enumerate(leaves)}
            return "map", tuple(own.values()), _swap(body, {**values, **own}, depth + len(own))
        case ("of", name, *args) if isinstance(values.get(name), tuple):
            _, leaves, body = values[name]
            put = (_swap(a, values, depth) for a in args)
            return _swap(body, dict(zip(leaves, put, strict=True)), depth)
    return (tree[0], *(_swap(t, values, depth) for t in tree[1:])) if isinstance(tree, tuple) else tree

def _keep(trees: Iterable[_Tree], values: Mapping[str, _Tree]) -> None:
    """What is assumed keeps arguments that may not be defined where maps are put for names."""
    lost = (part for tree in trees for part in _lost(tree, values))
    _ask(all(map(_is_total, lost)), "an argument that may not be defined is left out")

def _lost(tree: _Tree, values: Mapping[str, _Tree]) -> Iterator[_Tree]:
    """Arguments in whose place maps do not read anything, or only within sums."""
    if isinstance(tree, tuple) and tree[0] == "of" and isinstance(values.get(tree[1]), tuple):
        _, leaves, body = values[tree[1]]
        yield from (part for leaf, part in zip(leaves, tree[2:], strict=True) if leaf not in _read_in(body))
    for part in tree if isinstance(tree, tuple) else ():
        yield from _lost(part, values)

def _read_in(tree: _Tree) -> set[Any]:
    """What is read in a tree whatever the ends of its sums are."""
    parts = tree[2:4] if _head(tree) == "sum" else tree if isinstance(tree, tuple) else ()
    return set().union(*map(_read_in, parts)) if isinstance(tree, tuple) else {tree}

def _is_total(tree: _Tree) -> bool:
    """Whether a tree is plainly defined: without sums, and with no powers but whole ones from 0 on."""
    if _head(tree) == "^":
        return isinstance(tree[2], Fraction) and tree[2] == abs(int(tree[2])) and _is_total(tree[1])
    return not isinstance(tree, tuple) or (tree[0] != "sum" and all(map(_is_total, tree[1:])))

def _bare(line: _Tree) -> _Tree:
    """A relation in which an equation of vectors is written as one of numbers: 0 may be either."""
    inner = _bare(line[-1]) if line[0] in ("all", "every") else line[-1]
    return "=" if line[0] == "=v" else line[0], *line[1:-1], inner

# Normal forms, needs and facts of trees.
_Bounds = tuple[tuple[int, list[_Q]], ...]  # indices and ends; no ends: of an `every`
_Need = tuple[str, _Q, _Bounds]
_OF_POWERS = {"exponent": "nonnegative", "base": "nonzero"}  # sufficient for b^n, not necessary
_FORMS: dict[str, Callable[..., _Q]] = {
    "+": lambda read, *args: sum(map(read, args), _NIL),
    "*": lambda read, *args: prod(map(read, args), start=_ONE),
    "abs": lambda read, a: _abs(read(a)),
    "max": lambda read, a, b, sign=1: (read(a) + read(b) + _abs(read(a) - read(b)) * sign) * Fraction(1, 2),
    "min": lambda read, a, b: _FORMS["max"](read, a, b, -1),
    "ip": lambda read, u, v: _inner(read(u), read(v)),
    "n2": lambda read, u: _inner(read(u), read(u)),
    "^": lambda read, a, n: (
        _power(read(a), read(n)) if not isinstance(n, Fraction) else
        read(a) ** int(n) if n == int(n) else _root(read(a), n.denominator) ** n.numerator),
    "sum": lambda read, leaf, lo, hi, a: (
        _sum(read(a), i := _id("name", leaf), read(hi)) - _sum(read(a), i, read(lo) - 1)),
    "of": lambda read, f, *args: _atom("of", f, *map(read, args))}

class _Reader:
    """Normal forms, needs and facts of trees, where the equations given are read as they stand."""
    def __init__(self, equations: tuple[_Tree, ...]) -> None:
        self.values: dict[int, _Q] = {}
        self.forms: dict[_Tree, _Q] = {}
        self.known: dict[_Tree, list[_Fact]] = {}
        for head, *sides in equations:
            _ask(head in ("=", "=v"), "not an equation")
            named = [(x, e) for x, e in (sides, sides[::-1]) if isinstance(x, str) or _head(x) == "of"]
            x, e = next((x, e) for x, e in named if not str(x).endswith(":whole") or self(e).whole)
            what, value = ("name", x) if isinstance(x, str) else ("of", x[1], *map(self, x[2:])), self(e)
            self.values.setdefault(_id(*what), value)
            self.forms = {}
    def __call__(self, tree: _Tree) -> _Q:
        if tree not in self.forms:
            _EQUAL.append(self.values)
            try:
                self.forms[tree] = self.form(tree)
            finally:
                _EQUAL.pop()
        return self.forms[tree]
    def form(self, tree: _Tree) -> _Q:
        if not isinstance(tree, tuple):
            return _atom("name", tree) if isinstance(tree, str) else _q(tree)
        _ask(tree[0] in _FORMS, f"not known outside of constants: {tree[0]}")
        return _FORMS[tree[0]](self, *tree[1:])
    def needs(self, tree: _Tree, around: _Bounds = ()) -> Iterator[_Need]:
        """What a tree needs to be defined, with all sums and `all`s around it; of exponents it is much."""
        if not isinstance(tree, tuple):
            return
        head, *inner = tree
        _ask(head in _FORMS or head not in (*_HEADS, "pi"), f"not known outside of constants: {head}")
        if head in ("sum", "all", "every"):
            leaf, *inner, body = inner
            ends = [self(e) for e in inner]
            if head == "sum":
                yield "nonnegative", ends[1] - ends[0] + 1, around
            yield from self.needs(body, (*around, (_id("name", leaf), ends)))
        elif head == "^" and isinstance(inner[1], Fraction):
            told = not self.idle(inner[0])
            if inner[1] < 0:
                yield "nonzero" if told else "base", self(inner[0]), around
            if inner[1].denominator > 1 and not _plain(inner[0]):
                yield "nonnegative" if told else "exponent", self(inner[0]), around
        elif head == "^":
            terms = self(inner[1]).num
            if any(c < 0 for c in terms.values()):
                yield "base", self(inner[0]), around
            else:
                yield from (("exponent", _Q({m: 1}), around) for m in terms if m)
        for t in inner:
            yield from self.needs(t, around)
    def idle(self, line: _Tree) -> list[_Need]:
        """What the normal form of a line needs though a sum around it may be empty."""
        needs = self.needs(line) if _sums(line) else ()
        return [(kind, part, around) for kind, q, around in needs if kind != "nonnegative"
                for part in ([q] if kind == "exponent" else _factors(q)) if _spoken(part, around) != around]
    def facts(self, line: _Tree) -> list[_Fact]:
        """What a line that holds says is nonzero or nonnegative; nothing, if it cannot be read."""
        if line not in self.known:
            said = _maybe(lambda: [fact for need in self.said(line) for fact in _entries(*need)])
            self.known[line] = said or []
        return self.known[line]
    def said(self, line: _Tree) -> Iterator[_Need]:
        said, around = line, tuple[tuple[int, list[_Q]], ...]()
        while line[0] in ("all", "every"):
            around, line = (*around, (_id("name", line[1]), [self(e) for e in line[2:-1]])), line[-1]
        yield from self.needs(said)
        if self.idle(line):
            return
        gap = self(line[2]) - self(line[1])
        if line[0] in ("<", "!="):
            yield "nonzero", gap, around
        for sign in {"=": (1, -1), "<=": (1,), "<": (1,)}.get(line[0], ()):
            yield "nonnegative", gap * sign, around

def _sums(tree: _Tree) -> bool:
    return isinstance(tree, tuple) and (tree[0] == "sum" or any(map(_sums, tree[1:])))

def _head(tree: _Tree) -> Any:
    return tree[0] if isinstance(tree, tuple) else None

def _plain(tree: _Tree) -> bool:
    """Whether a number is plainly nonnegative where it is defined."""
    match tree:
        case ("^", a, Fraction() as p):
            return _plain(a) or p.denominator > 1 or p.numerator % 2 == 0
        case ("+" | "*" | "max" as head, *args):
            same = head == "*" and len(args) == 2 and args[0] == args[1]
            return same or (any if head == "max" else all)(map(_plain, args))
        case ("abs" | "n2" as head, _) | ("ip" as head, _, _):
            return head != "ip" or bool(tree[1] == tree[2])
    return isinstance(tree, Fraction) and tree >= 0

def _spoken(q: _Q, bounds: _Bounds) -> _Bounds:
    """The bounds whose index it speaks of, their ends included."""
    free = q.free
    for i, ends in reversed(bounds):
        free = free.union(*(e.free for e in ends)) if i in free else free
    return tuple((i, ends) for i, ends in bounds if i in free)

def _keyed(kind: str, q: _Q, bounds: _Bounds) -> Any:
    """What tells a need or a fact from others; the bounds are those that it speaks of."""
    names = {i: _single(_id("name", f"^{k}:whole")) for k, (i, _) in enumerate(bounds)}
    top, below = _cleared(_put(q, names))
    kind, sort = _OF_POWERS.get(kind, kind), kind
    if kind == "nonnegative" and not top.num:
        return (sort,)
    _ask(top.num, "what is 0 is not nonzero")
    (c, low, rest), (d, *over) = _parted(top), _parted(below)
    sign, under = (c * d > 0, over) if kind == "nonnegative" else (True, ())
    return sort, sign, low, rest, *under, tuple(_put(e, names) for _, ends in bounds for e in ends)

def _parts(q: _Q, *roots: str) -> list[_Q] | None:
    """What must be nonzero for q to be: the atoms of its monomial and the rest; of a root its radicand."""
    _, low, rest = _parted(_cleared(q)[0])
    if rest.atoms or [e for _, e in low] != [1]:
        return [_single(a) for a, _ in low] + [rest] * bool(rest.atoms) if low or not rest.atoms else None
    what = _ATOMS[low[0][0]].what
    return [what[1]] if what[0] in roots else None

def _factors(q: _Q) -> list[_Q]:
    """All that must be nonzero for q to be, inside of roots and powers too."""
    parts = _parts(q, "root", "power") if _cleared(q)[0].num else None
    return [q] if parts is None else [p for part in parts for p in _factors(part)]

_Fact = tuple[Any, tuple[_Q, ...], _Bounds]  # its key, and what must be nonzero for it, within what bounds

def _entries(kind: str, q: _Q, around: _Bounds) -> Iterator[_Fact]:
    """What a fact tells, if it speaks of all the indices around it; b^(n - 1) is read as b^n over b."""
    top, over = _lowest(q)
    if not top.num or not all(ends for _, ends in around) or _spoken(q, around) != around:
        return
    low = _parted(top)[1]
    apart = [_single(a) for a, e in low if e < 0] + [_ATOMS[a].what[1] for a, _ in over]
    names = frozenset().union(*(_ATOMS[a].free for a, _ in (*low, *over)))
    if kind == "nonnegative" or not names or names.isdisjoint(_bases(q)):
        yield _keyed(kind, q, around), tuple(apart) if kind == "nonzero" else (), around
        for part in (_parts(q, "root") or []) if kind == "nonzero" else []:
            yield from ((key, (*apart, *more), around) for key, more, _ in _entries(kind, part, around))

def _bases(*parts: Any) -> set[int]:
    """What the bases of powers speak of, at whatever depth."""
    atoms = {a for p in parts for a in (p.atoms if isinstance(p, _Q) else [p])}
    found = set[int]()
    for kind, *inner in (_ATOMS[a].what for a in atoms):
        found |= inner[0].free if kind == "power" else set()
        found |= _bases(*(p for p in inner if isinstance(p, _Q) or kind == "ip"))
    return found

def _learn(facts: set[Any], waiting: list[_Fact], new: Iterable[_Fact]) -> None:
    """Add facts, and those that waited for what is nonzero now."""
    waiting += new
    while ready := [f for f in waiting if all(_met(facts, "nonzero", q, f[2]) for q in f[1])]:
        facts.update(key for key, _, _ in ready)
        waiting[:] = [f for f in waiting if f[0] not in facts]

def _met(known: Container[Any], kind: str, q: _Q, bounds: _Bounds) -> bool:
    value, around, kind = q.number(), _spoken(q, bounds), _OF_POWERS.get(kind, kind)
    if value is not None:
        return value >= 0 if kind == "nonnegative" else value != 0
    apart = kind == "nonzero" and any(_spoken(p, bounds) != around for p in _factors(q))
    if not apart and all(ends for _, ends in around) and _keyed(kind, q, around) in known:
        return True
    parts = _parts(q, "root", "power") if kind == "nonzero" and _cleared(q)[0].num else None
    return parts is not None and all(_met(known, kind, p, bounds) for p in parts)

_reader = cache(_Reader)
_PLAIN = _reader(())
_Around = tuple[tuple[str, _Tree], ...]  # the indices of proofs around a line, with what they prove
_Judgement = Any  # names, those that are free, hypotheses, claim, steps used with values and where, the proof
# by whom it is cited, what is taken, what that needs, and what its names stand for
_Taken = tuple[str, _Tree, list[_Tree], list[_Tree]]

# Proofs.
class _Proof:
    """The names and lines that a proof may use, and the rules by which it goes on."""
    def __init__(self, names: _Names, given: list[_Tree], used: dict[str, _Judgement], of: list[Any],
                 around: _Around) -> None:
        self.names, self.given, self.used, self.named, self.around = names, given, used, of, around
        self.lines: list[_Tree] = []
        self.facts: set[Any] = set()  # of so many of the lines, and what waits for others:
        self.count, self.waiting = 0, list[_Fact]()
    def known(self, by: _Reader) -> set[Any]:
        """What the lines say is nonzero or nonnegative."""
        if by is not _PLAIN:
            _learn(found := set[Any](), [], (fact for line in self.lines for fact in by.facts(line)))
            return found
        new, self.count = self.lines[self.count:], len(self.lines)
        _learn(self.facts, self.waiting, (fact for line in new for fact in by.facts(line)))
        return self.facts
    def line(self, k: Any, *heads: str) -> _Tree:
        _ask(type(k) is int and 0 <= k < len(self.lines), f"no line before: {k!r:.80}")
        _ask(not heads or self.lines[k][0] in heads, f"line {k} is none of {heads}")
        return self.lines[k]
    def normal(self, reader: _Reader, *trees: _Tree) -> None:
        """Normal forms are right: what sums in them need is so though they be empty."""
        needs = [need for t in trees for need in reader.idle(t)]
        met = (any(_met(self.known(by), *need) for by in (_PLAIN, reader)) for need in needs)
        _ask(all(met), "a sum that may be empty")
    def counted(self, k: Any, *heads: str, reader: _Reader | None = None) -> _Tree:
        """A line by its normal form."""
        line = self.line(k, *heads)
        self.normal(reader or _PLAIN, line)
        return line
    def reading(self, equal: Any) -> _Reader:
        """A reader by equations, each by its normal form under those before it."""
        lines = [self.line(k) for k in equal]
        for n, line in enumerate(lines):
            if _sums(line):
                self.normal(_reader(tuple(lines[:n])), line)
        return _reader(tuple(lines))
    def inside(self, raw: Any, goal: _Tree, *granted: _Tree, **leaves: str) -> None:
        """A proof inside this one, with new names, that may use more lines."""
        inner = _Proof(self.names.new(leaves), self.given, self.used, self.named, self.around)
        inner.lines, inner.facts, inner.count = [*self.lines, *granted], {*self.facts}, self.count
        inner.waiting = [*self.waiting]
        inner.prove(raw, goal)
    def prove(self, raw: Any, goal: _Tree) -> None:
        """The lines hold, and the last one is the goal."""
        for claim, rule in raw:
            line = self.names.relation(claim)
            try:
                self.holds(line, claim, rule)
            except _Rejected as why:
                raise _Rejected(f"{len(self.lines)}: {why}") from None
            self.lines.append(line)
        _ask(raw and isinstance(raw, list) and self.lines[-1] == goal, "the last line is not the goal")
    def meets(self, *trees: _Tree, reader: _Reader | None = None, kind: str = "") -> None:
        """The needs of trees are met, and the trees are also nonzero or nonnegative where that is asked."""
        for by in (_PLAIN, reader or _PLAIN):
            needs = [need for t in trees for need in by.needs(t)] + [(kind, by(t), ()) for t in trees if kind]
            missing = [need for need in needs if not _met(self.known(by), *need)]
            if not missing:
                return self.normal(reader or _PLAIN, *trees)
        raise _Rejected(f"not known to be {missing[0][0]}, which something needs")
    def taken(self, raw: Any, kind: str, reader: _Reader | None = None, need: str = "") -> _Tree:
        """A value of a kind, whose needs are met."""
        value = self.names.value(raw, kind)
        self.meets(value, reader=reader, kind=need)
        return value
    def holds(self, line: _Tree, raw: Any, rule: Any) -> None:
        """The line holds because of its rule."""
        head, *sides = line
        match rule:
            case ["given", k]:
                _ask(type(k) is int and k >= 0 and self.given[k] == line, f"not hypothesis {k}")
            case ["combine", terms, equal]:
                self.combine(line, terms, self.reading(equal))
            case ["vectors", d, terms, equal] if head == "=v":
                reader, (u, v) = self.reading(equal), sides
                self.meets(line, reader=reader)
                total = reader(self.taken(d, "real", reader, "nonzero")) * (reader(v) - reader(u))
                for c, k in terms:
                    kind, u, v = self.counted(k, "=v", "=", reader=reader)
                    c = self.taken(c, "real" if kind == "=v" else "vector", reader)
                    total += reader(c) * (reader(u) - reader(v))
                _ask(not _cleared(total)[0].num, "not an identity")
            case ["use", id, values, found]:
                names, free, given, claim, *_ = self.used[id]
                said = {name: name for name in names if names[name] in free} | dict(values)
                _ask(len(dict(values)) == len(values), "two values for a name")
                put = {names[name]: self.taken(value, _kind(names[name])) for name, value in said.items()}
                _keep(given, put)
                paid = [_bare(_swap(g, put)) for g in given]
                _ask(paid == [_bare(self.line(k)) for k in found], "not its hypotheses")
                _ask(_swap(claim, put) == line, "not the claim of the step used")
                self.named.append((id, put, self.around))
            case ["instance", k, raw_value, *places]:
                _, leaf, *limits, body = self.line(k, "all", "every")
                value = self.taken(raw_value, _kind(leaf))
                limits = [("<=", limits[0], value), ("<=", value, limits[1])] if limits else []
                found = [self.line(m) for ends in places for m in ends]
                _ask(found == limits and len(places) < 2, "the value is not known to be in the range")
                _ask(_swap(body, {leaf: value}) == line, "not the instance")
            case ["total", k, last]:
                _, leaf, lo, hi, (kind, a, b) = self.line(k, "all")
                _ask(kind in ("<", "<=", "=", "=v"), "nothing to be summed")
                sums = ("sum", leaf, lo, hi, a), ("sum", leaf, lo, hi, b)
                _ask(line == ("<=" if kind == "<" else kind, *sums), "not the sums")
                _ask(self.line(last) == ("<=", lo, ("+", hi, Fraction(1))), "the range may be none")
                self.meets(line)
            case ["next", k]:
                _, a, b = self.counted(k, "<")
                _ask(_PLAIN(a).whole and _PLAIN(b).whole, "no whole numbers")
                _ask(line == ("<=", ("+", a, Fraction(1)), b), "not the next whole number")
            case ["both", k, m] if head == "=":
                _ask([self.line(k), self.line(m)] == [("<=", *sides), ("<=", *sides[::-1])], "not both")
            case ["meaning"]:
                kind, t, zero = ("nonzero", *sides) if head == "!=" else ("nonnegative", *sides[::-1])
                _ask(head in ("!=", "<=") and zero == Fraction(0), "it says nothing of a need")
                self.meets(t, kind=kind)
            case ["constants"]:
                (a, b), (c, d) = map(_enclosed, sides)
                decided = {"<": b < c, "<=": b <= c, "!=": b < c or d < a}.get(head)
                _ask(decided, "the enclosures do not decide it")
            case ["all", lines] if head == "all":
                (bound, lo, hi, body), leaf = sides, f"{raw[1]}:whole"
                self.meets(lo, hi)
                range = ("<=", lo, leaf), ("<=", leaf, hi)
                self.around = (leaf, line), *self.around
                self.inside(lines, _swap(body, {bound: leaf}), *range, **{raw[1]: leaf})
                self.around = self.around[1:]
            case ["every", lines] if head == "every":
                (bound, body), leaf = sides, f"{raw[1]}:{raw[2]}"
                self.inside(lines, _swap(body, {bound: leaf}), **{raw[1]: leaf})
            case ["induction", k, lines] if head == "all":
                (bound, lo, hi, body), leaf = sides, f"{raw[1]}:whole"
                self.meets(lo, hi)
                range = ("<=", lo, leaf), ("<=", leaf, ("+", hi, Fraction(-1)))
                first, at, after = (_swap(body, {bound: i}) for i in (lo, leaf, ("+", leaf, Fraction(1))))
                _ask(self.line(k) == first, "not the body at the first index")
                self.inside(lines, after, *range, at, **{raw[1]: leaf})
            case ["split", raw_case, one, two]:
                case, a, b = self.names.relation(raw_case)
                self.meets((case, a, b))
                self.inside(one, line, (case, a, b))
                self.inside(two, line, (_OPPOSITE[case], *((a, b) if case in ("=", "!=") else (b, a))))
            case ["name", lines, name, raw_value]:
                value, sort = self.names.read(raw_value)
                self.meets(value)
                leaf = f"{name}:{'vector' if sort == 'vector' else 'real'}"
                self.inside(lines, line, ("=v" if sort == "vector" else "=", leaf, value), **{name: leaf})
            case _:
                raise _Rejected(f"no rule: {rule!r:.80}")
    def combine(self, line: _Tree, terms: Any, reader: _Reader) -> None:
        """The line cannot be false: products of known signs add up to 0, one of them positive."""
        _ask(line[0] in _SIGN, "no relation of numbers")
        self.meets(line, reader=reader)
        total, kept = _NIL, []
        for coefficient, factors in terms:
            c = self.names.value(coefficient, "real")
            _ask(isinstance(c, Fraction) and c and isinstance(factors, list), f"no term: {coefficient!r:.80}")
            found = [self.factor(line, reader, f) for f in factors]
            total += prod((q for q, _ in found), start=_q(c))
            signs = {sign for _, sign in found}
            if "0" not in signs:
                fits = signs <= {"+", "+-"} if line[0] == "=" else signs <= {"+", "0+"} and c > 0
                _ask(fits, "a term of the wrong sign")
                kept += [signs]
        _ask(len(kept) == 1 if line[0] == "=" else any(s <= {"+"} for s in kept), "no contradiction")
        _ask(not _cleared(total)[0].num, "not an identity")
    def factor(self, line: _Tree, reader: _Reader, raw: Any) -> tuple[_Q, str]:
        """The value of a factor, and its sign."""
        if raw == "neg":
            return reader(line[1]) - reader(line[2]), _DENIED[line[0]]
        if not isinstance(raw, list):
            head, a, b = self.counted(raw, *_SIGN, reader=reader)
            return reader(b) - reader(a), _SIGN[head]
        kind, sign = "vector" if raw[0] in ("n2", "gram") else "real", "0+"
        t = () if raw[0] in ("power", "along") else self.names.value(raw[1], kind)
        match raw:
            case ["*" | "n2" as head, _]:
                tree, sign = (t, "any") if head == "*" else ((head, t), sign)
            case ["sq", _]:
                tree = "^", t, Fraction(2)
            case ["sq+", _]:
                self.meets(t, reader=reader, kind="nonzero")
                tree, sign = ("^", t, Fraction(2)), "+"
            case ["gram", _, other]:
                v = self.names.value(other, "vector")
                tree = "+", ("*", ("n2", t), ("n2", v)), ("*", Fraction(-1), ("^", ("ip", t, v), Fraction(2)))
            case ["root", _, "2" | "3" | "4" | "5" | "6" as q]:
                tree = "^", t, Fraction(1, int(q))
            case ["size", _, "1" | "-1" as size]:
                tree = "+", ("abs", t), ("*", Fraction(size), t)
            case ["power", k, n]:
                sign, zero, base = self.line(k, "<", "<=")
                tree, sign = ("^", base, self.taken(n, "whole", reader)), _SIGN[sign]
                _ask(zero == 0 and not isinstance(tree[2], Fraction), "no power of a line")
            case ["along", k, u]:
                _, a, b = self.counted(k, "=v", reader=reader)
                return _inner(reader(a) - reader(b), reader(self.taken(u, "vector", reader))), "0"
            case _:
                raise _Rejected(f"no factor: {raw!r:.80}")
        self.meets(tree, reader=reader)
        return reader(tree), sign

# Constants: rational bounds.
_Range = tuple[Fraction, Fraction]

def _rounded(*values: Fraction) -> _Range:
    return Fraction(floor(min(values) * 2**256), 2**256), Fraction(ceil(max(values) * 2**256), 2**256)

def _series(x: Fraction, first: int, step: int) -> _Range:
    """Bounds of the sum of s^k x^n/n! over n = first + k |step|, where s is the sign of step."""
    _ask(abs(x) <= 100, "too large a constant")
    total, term, n = Fraction(0), x**first, first
    while n < 2 * abs(x) + 2 or abs(term) * 2**256 > 1:
        total, n = total + term, n + abs(step)
        term *= (1 if step > 0 else -1) * x ** abs(step) / prod(range(n - abs(step) + 1, n + 1))
    return _rounded(total - 2 * abs(term), total + 2 * abs(term))

def _exp(x: Fraction) -> _Range:
    """Bounds of exp(x): the square of those at half of it."""
    _ask(abs(x) <= 3000, "too large a constant")
    if abs(x) <= 1:
        return _series(x, 0, 1)
    low, high = _exp(x / 2)
    return _rounded(low**2, high**2)

def _between(low: int, high: int, side: Callable[[Fraction], _Range], x: Fraction | int = 0) -> _Range:
    """Bounds of the place where a rising function with these bounds is x."""
    one, two = Fraction(low), Fraction(high)
    _ask(side(one)[1] < x < side(two)[0], "too large or small a constant")
    for _ in range(110):
        middle = (one + two) / 2
        below, above = side(middle)
        one, two = (middle, two) if above <= x else (one, middle) if below >= x else (one, two)
    return one, two

def _log(x: Fraction) -> _Range:
    """Bounds of log(x), from exp."""
    _ask(x > 0, "log of what may not be positive")
    low, high = _between(-1, 3000, _exp, x) if x >= 1 else _log(1 / x)
    return (low, high) if x >= 1 else (-high, -low)

def _enclosed(tree: _Tree) -> _Range:
    """Rational bounds of a constant."""
    if isinstance(tree, Fraction):
        return tree, tree
    if tree == ("pi",):
        return _between(3, 4, lambda x: _series(-x, 1, -2))
    _ask(isinstance(tree, tuple), "not a constant")
    (low, high), *others = map(_enclosed, tree[1:])
    match tree:
        case ("+" | "*" | "abs" | "max" | "min" as head, *_):
            join: Any = {"+": operator.add, "*": operator.mul, "min": min}.get(head, max)
            for one in [(-high, -low)] if head == "abs" else others:
                ends = [join(a, b) for a in (low, high) for b in one]
                low, high = _rounded(*ends) if head == "*" else (min(ends), max(ends))
            return low, high
        case ("^", _, Fraction() as p):
            if p.denominator > 1:
                _ask(low >= 0, "a root of a number that may be negative")
                fine, q = 2 ** (128 * p.denominator), p.denominator
                low = Fraction(_floor_root(floor(low * fine), q), 2**128)
                high = Fraction(_floor_root(ceil(high * fine), q) + 1, 2**128)
            _ask(p > 0 or not low <= 0 <= high, "a division by what may be 0")
            return _rounded(low**p.numerator, high**p.numerator, *([Fraction(0)] if low < 0 < high else []))
        case ("exp", _):
            return _exp(low)[0], _exp(high)[1]
        case ("log", _):
            return _log(low)[0], _log(high)[1]
        case ("sin" | "cos" as head, _):
            a, b = _series(low, int(head == "sin"), -2)
            return a - (high - low), b + (high - low)
    raise _Rejected("not a constant")

# Documents.
def _verified(row: Any, proved: Mapping[str, _Judgement]) -> _Judgement:
    """What a certificate proves, with the steps proved before; anything wrong is an exception."""
    fits, _SPENT[0] = row.keys() == {"names", "given", "claim", "lines", "uses"}, 0
    _ask(fits and all(g.keys() == {"is", "from"} for g in row["given"]), "unknown keys")
    _ask(_listed([[g["is"] for g in row["given"]], row["claim"], row["lines"]]), "neither lists nor text")
    _ask(all(_KIND.fullmatch(k) for k in row["names"].values()), "no kind")
    names = _Names({}, set()).new({n: f"{n}:{k}" for n, k in row["names"].items()})
    given, claim = [names.relation(g["is"]) for g in row["given"]], names.relation(row["claim"])
    free = {*names.used}
    proof = _Proof(names, given, {u: proved[u] for u in row["uses"]}, [], ())
    proof.prove(row["lines"], claim)
    occur = all(names.used & {leaf, f"index {name}"} for name, leaf in names.items())
    _ask(occur, "a name that occurs nowhere")
    _ask(sorted({id for id, *_ in proof.named}) == sorted(row["uses"]), "a step that no line uses")
    return names, free, given, claim, proof.named, proof

def _lists(says: Any) -> list[_Tree]:
    """What a step lists, of its own names."""
    names = _Names({}, set()).new({n: f"{n}:{k}" for n, k in says["kinds"].items()})
    return [t for raw, _ in says["lists"] if (t := _maybe(names.relation, raw)) is not None]

def _asked(row: Any, judgement: _Judgement, asks: Mapping[str, list[_Tree]]) -> Iterator[_Tree]:
    """What steps that are used ask for or list, with the values and under the ranges that they have here."""
    for id in {*row["uses"]} & asks.keys():
        yield from asks[id]
    for id, put, around in judgement[4]:
        yield from (_under((id, tree, [], []), put, around)[1] for tree in asks[id])

def _equates(tree: _Tree) -> bool:
    """Whether it is an equation, for one or every index."""
    return bool(tree[0] in ("=", "=v") or (tree[0] == "all" and _equates(tree[-1])))

def _rests(row: Any, judgement: _Judgement, cited: list[_Taken], papers: Any,
           known: Mapping[str, Any], asks: Mapping[str, list[_Tree]]) -> None:
    """The claim is what the step says, and the row shows what it rests on, carried only where that may be."""
    names, _, given, claim, *_ = judgement
    says, closing = row["says"], row.get("closing")
    reasons = [*(why for _, why in says["lists"]), *(r["id"] for r in row["rests_on"])]
    _ask(all(type(why) is str for why in reasons), "a reason that is no text")
    _ask({r["kind"] for r in row["rests_on"]} <= _GROUNDS, "it rests on what is of no kind")
    papers = [p for p in papers if p["key"] == row.get("paper")]
    _ask(len(papers) < 2, "two papers of one key")
    _ask(names.relation(says["claim"]) == claim, "it proves another claim")
    listed = [(t, why) for raw, why in says["lists"] if (t := _maybe(names.relation, raw)) is not None]
    spoken = _words((claim, *(t for t, _ in listed)))
    lists = row["verdict"] != "proved" or any(row["id"] in p["lists"] for p in papers)
    kinds = {n: k for p in papers for n, k in p["kinds"].items()}
    for name, leaf in names.items():
        kind = says["kinds"].get(name, "" if _kind(leaf) == "whole" else _kind(leaf))
        whole = [r["kind"] for r in row["rests_on"] if r["is"] == ["whole", name]]
        meant = "meaning" in whole and kinds.get(name) == "whole"
        counted = (_kind(leaf), kind) == ("whole", "real") and (meant or ("carried" in whole and lists))
        _ask(kind == _kind(leaf) or leaf not in spoken or counted, f"{name} is no {_kind(leaf)}")
    put: dict[str, _Tree] = {}
    means: Any = [(r["id"], r["is"]) for r in row["rests_on"] if r["kind"] == "meaning"]
    reached, values = set[str](), list[Any]()
    if closing:
        own, shut = names, _verified(closing | {"uses": [row["id"]]}, {row["id"]: judgement})
        names, _, given, closed, _, proof = shut
        for name, leaf in names.items():
            usual = kinds.get(name, "real")
            told = {"kind": "meaning", "id": name, "is": ["whole", name]}
            counts = usual == "whole" and any(told.items() <= r.items() for r in row["rests_on"])
            fits = leaf == own.get(name, f"{name}:{usual}") or (_kind(leaf) == "whole" and counts)
            _ask(fits, f"{name} is no {_kind(leaf)}")
        rule, id, values, _ = closing["lines"][-1][1]
        put |= {own[n]: names.value(raw, _kind(own[n])) for n, raw in values}
        put |= {own[n]: names.value(n, _kind(own[n])) for n in own if n in names and own[n] not in put}
        tables: Any = {m["for"]: m["names"] for p in papers for m in p["means"]}
        _ask(len(tables) == sum(len(p["means"]) for p in papers), "two meanings for one")
        table = tables.get(max((start for start in tables if row["id"].startswith(start)), default=""), {})
        meant = {own[n]: put[own[n]] for n in own if n in table and own[n] in put}
        there = _Names({**names, **{n: leaf for n, leaf in own.items() if leaf in meant}}, set())
        more = {n for n in own if own[n] in spoken}
        while more:  # and what the paper says that such names mean speaks of others
            reached |= more
            more = {t for n in more for t in _words(table.get(n, []))} & own.keys() & table.keys() - reached
        for name, raw in ((n, raw) for n, raw in values if n in reached and raw != n):
            _ask((name, raw) in means, f"what {name} means is not shown")
            mean = (_maybe(there.value, m, _kind(own[name])) for m in table.get(name, []))
            fits = any(m is not None and _swap(m, meant) == put[own[name]] for m in mean)
            _ask(fits, f"its paper does not say that {name} means this")
        _ask(rule == "use" and id == row["id"] and _swap(claim, put) == closed, "it closes another step")
        _in_order([_at(taken, put) for taken in cited], closing["lines"], proof, given)
    fits = (m[1] == ["whole", m[0]] or (m[0] in reached and [*m] in values) for m in means)
    _ask(all(fits), "a meaning that no name of the step has")
    loose = {leaf for n, leaf in names.items() if _kind(leaf) == "whole" and kinds.get(n) != "whole"}
    every = [(g["id"], t) for p in papers for g in p["granted"]  # there a loose name may be any number
             if loose.isdisjoint(_words(t := _maybe(names.relation, g["is"])))]
    sources = [("cited" if id in known else "assumption", id, t) for id, t in every]
    sources += [("listed" if why else "", why, _swap(t, put)) for t, why in listed]
    sources += [("cited", id, _swap(t, put)) for id, t, *_ in cited]
    below = [_swap(t, put) for t in _asked(row, judgement, asks)] if lists else []
    rests = [(r["kind"], r["id"], _maybe(names.relation, r["is"])) for r in row["rests_on"]]
    for tree in given:
        granted = {(kind, id) for kind, id, t in sources if t == tree}
        free = row["verdict"] != "proved" or tree in below or _equates(tree)
        granted = granted or ({("carried", "")} if lists and free else set())
        shown = {(kind, id) for kind, id, t in rests if t == tree and kind != "meaning"}
        others = [kind == "cited" and id in known for kind, id in shown - granted]
        _ask(shown or ("", "") in granted, "it rests on more than is shown")
        _ask((shown | {("", "")}) & granted and all(others), "it shows for a relation what nobody grants")

def _cited(row: Any, judgement: _Judgement, proved: Mapping[str, list[_Taken]],
           known: Mapping[str, Any]) -> list[_Taken]:
    """What a step takes from those that it cites, and what those that it uses take, as it reads here."""
    names, _, given, _, uses, proof = judgement
    lines, found = row["certificate"]["lines"], list[_Taken]()
    for id, raw, values, index in row["says"]["cites"]:
        said = _maybe(names.relation, raw)
        if said is not None:
            _ask(id in known, f"it cites what nobody says: {id}")
            taken, needs, stand = _instances(known[id], names, said, values, index)
            _ask(_same(taken, said), f"it cites what {id} does not say")
            found.append((id, said, needs, stand))
    for used, put, around in uses:
        found += [_under(one, put, around) for one in proved[used]]
    _in_order(found, lines, proof, given)
    return found

def _at(taken: _Taken, put: Mapping[str, _Tree], around: _Tree = ()) -> _Taken:
    """What is taken, for values of names, or for every index of a range where it or its needs speak of it."""
    def here(tree: _Tree, by: Any = None) -> _Tree:
        spoken = around and around[1] in _words(tree if by is None else by)
        return _swap((*around, tree) if spoken else tree, put)
    id, tree, needs, values = taken
    _keep(needs, put)
    return id, here(tree, (tree, needs, values)), list(map(here, needs)), list(map(here, values))

def _under(taken: _Taken, put: Mapping[str, _Tree], around: Any) -> _Taken:
    """What is taken, for values of names and under the ranges around its place."""
    taken = _at(taken, put)
    for leaf, (_, _, lo, hi, _) in around:
        taken = _at(taken, {}, ("all", leaf, lo, hi))
    return taken

def _in_order(found: list[_Taken], lines: Any, proof: Any, given: list[_Tree]) -> None:
    """What results that are cited need stands above all that goes by them, and their values are defined."""
    for id, tree, needs, values in found:
        before, places = _Proof(proof.names, [], {}, [], ()), [k for k, g in enumerate(given) if g == tree]
        goes = (proof.lines[n] == tree or _reaches(by, places) for n, (_, by) in enumerate(lines))
        until = next((n for n, found in enumerate(goes) if found), None) if needs or values else 0
        before.lines += proof.lines[:until]
        _ask(all(any(_same(t, line) for line in before.lines) for t in needs), f"it owes what {id} needs")
        for value in values:
            body = value[-1] if _head(value) == "all" else value
            _ask(_head(body) != "map" or not [*_PLAIN.needs(body)], "a map that is not defined everywhere")
            before.meets(value)

def _reaches(raw: Any, places: list[int]) -> bool:
    """Whether a rule, or one of a proof inside it, takes one of the hypotheses."""
    if isinstance(raw, list) and len(raw) == 2 and raw[0] == "given" and raw[1] in places:
        return True
    return isinstance(raw, list) and any(_reaches(part, places) for part in raw)

def _instances(says: Any, names: _Names, said: _Tree, values: Any,
               index: str) -> tuple[_Tree, list[_Tree], list[_Tree]]:
    """What a cited step says for these values of its names, what it assumes without a reason, the values."""
    own = _Names({}, set()).new({n: f"{n}:{k}" for n, k in says["kinds"].items()})
    _ask(index == "" or said[0] == "all", "an index of what is no range")
    _ask(all(type(why) is str for _, why in says["lists"]), "a reason that is no text")
    around = said[:4] if index else ()
    inner = names.new({index: said[1]}, 1) if index else names
    stand = {own[n]: inner.value(v, _kind(own[n])) for n, v in values if n in own}
    listed = [own.relation(t) for t, why in says["lists"] if why in ("", _SIGN_OF)]
    _keep(listed, stand)
    taken, *owed = (_swap(t, stand, len(around) // 4) for t in (own.relation(says["claim"]), *listed))
    within = [(*around, t) if around and around[1] in _words(t) else t for t in (*owed, *stand.values())]
    every = [leaf for name, leaf in own.items() if leaf not in stand and names.get(name) == leaf]
    values = [*within[len(owed):], *every]
    return (*around, taken) if around else taken, within[: len(owed)], values

def _same(one: _Tree, other: _Tree) -> bool:
    """Whether two relations say the same, in whatever order, and need the same to be defined."""
    if one[0] != other[0] or one[0] in ("all", "every"):
        return bool(one[:-1] == other[:-1] and _same(one[-1], other[-1]))
    if _PLAIN.idle(one) or _PLAIN.idle(other):
        return bool(one == other)
    first, second = (_PLAIN(t[2]) - _PLAIN(t[1]) for t in (one, other))
    turned = one[0] in ("=", "=v", "!=") and first == second * -1
    needs = [{_keyed(*need) for need in _PLAIN.needs(t) if not _met((), *need)} for t in (one, other)]
    return (first == second or turned) and needs[0] == needs[1]

def _maybe(read: Callable[..., Any], *raw: Any) -> Any:
    """What is read, if all its names are known."""
    try:
        return read(*raw)
    except Exception:
        return None

def _words(raw: Any) -> set[str]:
    inner = map(_words, raw) if isinstance(raw, list | tuple) else ()
    return {raw} if isinstance(raw, str) else set().union(*inner)

def _text(raw: Any, tight: int = 0) -> str:
    """A tree as one line of plain mathematics."""
    if isinstance(raw, str):
        return f"({raw})" if (tight and raw[0] == "-") or (tight > 2 and "/" in raw) else raw
    head, *args = raw
    if head in ("+", "*"):
        line = {"+": " + ", "*": "*"}[head].join(_text(a, 1 + (head == "*")) for a in args)
        return f"({line})" if tight > 2 * (head == "*") else line
    if head == "^" and args[1] != "1/2":
        line = f"{_text(args[0], 4)}**{_text(args[1], 3)}"
        return f"({line})" if tight > 3 else line
    said = [*map(_text, args)]
    if head in _WORDS:
        return _WORDS[head].format(*said)
    if head == "^":
        return f"sqrt({said[0]})"
    return f"{said.pop(0) if head == 'of' else head}({', '.join(said)})"

def _misread(raw: Any) -> bool:
    """Whether words stand beside a formula that says something else."""
    if isinstance(raw, dict):
        other = "text" in raw and "is" in raw and raw["text"] != _text(raw["is"])
        return other or any(_misread(part) for key, part in raw.items() if key not in _CERTIFIED)
    return isinstance(raw, list) and any(map(_misread, raw))

def _alone(name: str, raw: Any) -> bool:
    """Whether a name stands in a tree as a term or a factor only, not in a power or a product with itself."""
    speaks = [part for part in raw[1:] if name in _words(part)] if isinstance(raw, list) else []
    flat = raw == name or not speaks or raw[0] in ("+", *_SIGN) or (raw[0] == "*" and len(speaks) == 1)
    return flat and all(_alone(name, part) for part in speaks)

def _leaves(part: Any) -> set[str]:
    """The names in a normal form, those of functions too, without the indices of sums."""
    if isinstance(part, str):
        return {part} if part[0] not in "@~?#" else set()
    found = (_ATOMS[a].what for a in (part.atoms if isinstance(part, _Q) else [part]))
    return {leaf for kind, *parts in found for p in parts if kind == "ip" or isinstance(p, _Q | str)
            for leaf in _leaves(p)}

def _listed(raw: Any) -> bool:
    """Whether something is made of lists, whole numbers and texts only."""
    return all(map(_listed, raw)) if type(raw) is list else type(raw) in (int, str) and raw != ""

def _steps(document: Mapping[str, Any]) -> list[Any]:
    """The rows of steps that were asked for, and of those that these rest on."""
    return [*document["steps"], *document.get("basis", [])]

def proofs(document: Mapping[str, Any]) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """The steps whose certificates are confirmed, those rejected and why, and those proved without one."""
    steps, rows, proved = _steps(document), dict[str, Any](), dict[str, _Judgement]()
    papers, citing, without = document.get("papers", []), dict[str, list[_Taken]](), list[str]()
    asks = dict[str, list[_Tree]]()
    rejected = [(str(row.get("id", row.get("key"))), "other words stand beside a formula")
                for row in (*papers, *steps, *document.get("statements", [])) if _misread(row)]
    ids = Counter(normalize("NFKC", str(r.get("id"))) for r in steps)
    alone = (r for r in steps if ids[normalize("NFKC", str(r.get("id")))] == 1)
    cited = {r["id"]: r["says"] for r in alone if r.get("verdict") == "cited" and r.get("says")}
    for row in steps:
        id, certificate, said = row.get("id"), row.get("certificate"), row.get("verdict")
        if certificate is None:
            without += [str(id)] if said not in _OTHERS else []
        elif type(id) is not str or ids[normalize("NFKC", id)] > 1 or said not in ("proved", "open"):
            rejected.append((str(id), "not the only step of its id, or neither proved nor open"))
        else:
            rows[id] = certificate, row
    while rows:
        ready = [id for id, (c, r) in rows.items()
                 if rows.keys().isdisjoint(_maybe(lambda c, r: {*c["uses"], *r["uses"]}, c, r) or ())]
        for id in ready or [*rows]:
            certificate, row = rows.pop(id)
            try:
                _ask(ready, "steps that use each other")
                _ask(not row.get("instance"), "numbers that refute what has a certificate")
                needed = {*certificate["uses"]} if type(certificate["uses"]) is list else {""}
                _ask(needed <= {*row["uses"]}, "it uses what the step does not name")
                _ask(needed <= {*proved}, "it uses what is not confirmed")
                judgement = _verified(certificate, proved)
                citing[id] = _cited(row, judgement, citing, cited)
                _rests(row, judgement, citing[id], papers, cited, asks)
                proved[id], asks[id] = judgement, [*judgement[2], *_lists(row["says"])]
            except Exception as why:  # whatever goes wrong, nothing is confirmed
                said = "" if isinstance(why, _Rejected) else f"could not be read: {type(why).__name__} "
                rejected.append((id, f"{said}{why}"))
    return [*proved], rejected, without

def statements(document: Mapping[str, Any],
               confirmed: Container[str]) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """The statements that hold whose proofs are confirmed, those whose are not, and those without one."""
    sure = {r["id"]: r for r in _steps(document) if r.get("verdict") == "proved" and r.get("id") in confirmed}
    ids = Counter(normalize("NFKC", str(r.get("id"))) for r in document["statements"])
    good, without, rejected = list[str](), list[str](), list[tuple[str, str]]()
    others = {normalize("NFKC", str(r.get("id"))): r for r in document["statements"]}
    for row in (r for r in document["statements"] if str(r.get("verdict")) not in _UNPROVED):
        try:
            _SPENT[0] = 0
            id, bound, last = row["id"], row["kind"] in ("bound", "hidden"), row["because"]
            _ask(type(id) is str and ids[normalize("NFKC", id)] == 1, "not the only statement of its id")
            fits = row["verdict"] in ("holds", "holds amended") and row["kind"] in (*_KINDS, *_SETTLED)
            _ask(fits and not row.get("counterexample") and not row.get("instance"), "no proof or verdict")
            for proof in row["proofs"]:
                _verified({k: v for k, v in proof.items() if k != "id"}, {})
            _ask(not bound or (type(last) is list and last), "a bound that rests on no step")
            _ask(not bound or {*last} <= {*sure}, "a step that it rests on is not proved")
            ends = [sure[id] for id in last] if bound else []
            _ask(all(end["paper"] == row["paper"] for end in ends), "a step of another paper")
            below = [g for r in ends for g in r["rests_on"]]
            _ask(all(g in row["rests_on"] for g in below), "it rests on more than is shown")
            (paper,) = (p for p in document["papers"] if p["key"] == row["paper"])
            _ask(paper["readings"].get(id) == row["reading"], "its paper reads it otherwise")
            allowed = {g for g in row.get("uses", ()) if ids[normalize("NFKC", g)] < 2
                       and _may_grant(others.get(normalize("NFKC", g)), row)}
            lists = [paper["lists"], *row["granted"].values()] if bound else []
            _ask(all(type(v) is list for v in lists), "a text for a list")
            _ask(not bound or row["granted"].keys() <= allowed, "granted by what does not hold")
            more = row["reading"] or (bound and _beside(row, document, paper))
            _ask(not more or row["verdict"] == "holds amended", "it holds amended by what it takes besides")
            shown = row["kind"] in _KINDS
            if shown:
                _follows(row, ends, paper)
            (good if shown else without).append(id)
        except Exception as why:  # whatever goes wrong, nothing is confirmed
            rejected.append((str(row.get("id")), str(why)))
    return good, rejected, without

def _may_grant(other: Any, row: Any) -> bool:
    """Whether a statement may grant another assumptions: a bound that holds, of its paper, if it is there."""
    return other is None or (other["kind"] == "bound" and other["paper"] == row["paper"]
                             and other["verdict"] in ("holds", "holds amended") and not other["granted"])

class _Letters:
    """What a statement's letters are known to satisfy, what is defined written out, and what that needs."""
    def __init__(self, says: Any) -> None:
        self.named = dict(says["where"])
        self.own = {**dict.fromkeys(self.named, "real"), **says["kinds"]}
        self.known, self.facts, self.waiting = set[Any](), set[Any](), list[_Fact]()
        fits = {*says["kinds"].values()} <= {"real", "whole"} and "bound" not in self.own
        once = len(self.own) == len(says["where"]) + len(says["kinds"])
        _ask(fits and once, "a letter of two meanings, or of none")
        _ask(self.named.keys().isdisjoint(_words([*self.named.values()])), "a definition by another")
        names = _Names({}, set()).new({n: f"{n}:{k}" for n, k in self.own.items()})
        self.means = {names[n]: names.value(raw, "real") for n, raw in self.named.items()}
        if "bound" in says:
            self.means["bound:real"] = _swap(names.value(says["bound"], "real"), self.means)
    def words(self, raw: Any) -> set[str]:
        return _words(_out(raw, self.named))
    def read(self, raw: Any, kinds: Mapping[str, str]) -> _Tree:
        """A relation of numbers, what is defined written out."""
        fits = all(self.own.get(n, kind) == "whole" or kind != "whole" for n, kind in kinds.items())
        _ask(fits, "a letter need not be whole")
        _ask("bound" not in kinds, "another bound than that of the statement")
        leaves = {n: f"{n}:{k}" for n, k in {"bound": "real", **kinds, **self.own}.items()}
        return self.put(_Names({}, set()).new(leaves).relation(raw))
    def put(self, line: _Tree) -> _Tree:
        _ask(line[0] in _SIGN, "a relation of more than numbers")
        return line[0], *(_swap(t, self.means) for t in line[1:])
    def key(self, line: _Tree) -> Any:
        """What tells a relation up to a positive factor, where its normal form says the same."""
        _ask(all(_met(self.facts, *need) for need in _PLAIN.idle(line)), "a sum that may be empty")
        gap, how = _PLAIN(line[2]) - _PLAIN(line[1]), "nonzero" if line[0] in ("=", "!=") else "nonnegative"
        return line[0], _keyed(how, gap, ()) if _cleared(gap)[0].num else ()
    def told(self, raw: Any, kinds: Mapping[str, str]) -> tuple[Any, _Tree]:
        line = self.read(raw, kinds)
        return self.key(line), line
    def of_letters(self, raw: Any, kinds: Mapping[str, str]) -> _Tree | None:
        """A relation without the ranges around it, if it speaks of none but the letters and its indices."""
        names = _Names({}, set()).new({n: f"{n}:{k}" for n, k in kinds.items()})
        line = names.relation(raw)
        while line[0] in ("all", "every"):
            line = line[-1]
        spoken = set[str]().union(*(_leaves(_PLAIN(side)) for side in line[1:]))
        fits = all(_kind(leaf) in ("real", "whole") and leaf.partition(":")[0] in self.own for leaf in spoken)
        return _swap(line, {leaf: f"{n}:{k}" for n, k in self.own.items() for leaf in spoken
                            if leaf.partition(":")[0] == n}) if fits else None
    def value(self, raw: Any, kinds: Mapping[str, str]) -> _Tree:
        return self.read(["=", raw, raw], kinds)[1]
    def spoken(self, kinds: Mapping[str, str], *sides: Any) -> dict[str, str]:
        """Of which names, of what kinds, the values of numbers speak."""
        leaves = (leaf for raw in sides for leaf in _leaves(_PLAIN(self.value(raw, kinds))))
        return dict(leaf.split(":") for leaf in leaves)
    def defined(self, tree: _Tree, *granted: _Tree) -> bool:
        """Whether what is known, and what is granted to be defined, makes a tree defined."""
        told = [need for t in granted for need in _PLAIN.needs(t)]
        _learn(sure := {*self.facts}, [*self.waiting], (f for need in told for f in _entries(*need)))
        return all(need in told or _met(sure, *need) for need in _PLAIN.needs(tree))
    def follows(self, raw: Any, kinds: Mapping[str, str], *granted: _Tree) -> bool:
        """Whether a relation is known, and defined if what is granted is."""
        key, line = self.told(raw, kinds)
        return key in self.known and self.defined(line, *granted)
    def add(self, *lines: _Tree) -> None:
        """Lines hold; what is at least a positive number is positive."""
        for line in lines:
            _learn(self.facts, self.waiting, _PLAIN.facts(line))
            if line[0] in ("<", "<=") and isinstance(line[1], Fraction) and line[1] > 0:
                _learn(self.facts, self.waiting, _PLAIN.facts(("<", Fraction(0), line[2])))
        self.known.update(map(self.key, lines))
    def prove(self, proofs: list[Any]) -> list[Any]:
        """Add what proofs claim that go by what follows; those that are left."""
        def is_ready(proof: Any) -> bool:
            speaks = self.named.keys() & proof["names"].keys()
            return (all(self.follows(g["is"], proof["names"]) for g in proof["given"])
                    and all(self.defined(self.value(n, {})) for n in speaks))
        while ready := [*filter(is_ready, proofs)]:
            for p in ready:
                self.add(self.read(p["claim"], p["names"]))
            proofs = [p for p in proofs if p not in ready]
        return proofs

def _follows(row: Any, ends: list[Any], paper: Any) -> None:
    """What a statement claims, and what the last steps of its proof list, follow from what it assumes."""
    says, kind, letters = row["says"], row["kind"], _Letters(row["says"])
    _ask("bound" not in says or kind in ("bound", "hidden"), "a bound where none is claimed")
    _ask(("order" in says) is (kind == "order"), "an order that is not claimed, or none that is")
    _ask(("chosen" in says) is (kind == "exists"), "what is chosen where nothing exists, or is not")
    at = _point(says["at"], {n for n in letters.own if letters.own[n] == "whole"})
    met = [c for c in says["claim"] if kind == "minimum" and c["is"][1:2] == c["is"][2:]]  # it is defined
    said = [g["is"] for g in (*says["given"], *met)] + [["=", v, v] for v in letters.named.values()]
    odd = [t for t in (_said(raw, letters.named) for raw in said) if not _decided(t, at)[0]]
    _ask(not odd and at.keys() <= says["kinds"].keys(), f"the numbers at which it says something miss {odd}")
    _ask(not _granted(says, row["proofs"], letters), "a proof goes by what is not given")
    _ask(says["claim"] or ends, "it claims nothing")
    left = (c["is"] for c in says["claim"] if c not in met)
    _ask(all(letters.follows(raw, {}) for raw in left), "what it claims does not follow")
    _ask(kind != "order" or _hides(says, letters), "another claim than that of its order")
    letters.known |= {("=", ()), ("<=", ())}
    metric = [m["is"] for m in paper["metrics"].get(says.get("metric"), [])]
    _ask(letters.named.keys().isdisjoint(_words(metric)), "a metric of what the statement defines")
    shown = [_concludes(end, letters, paper, metric) for end in ends]
    _ask(not ends or any(shown), "the last step claims another bound, or of another metric")

def _granted(says: Any, proofs: list[Any], letters: _Letters) -> list[Any]:
    """Take what is given, of what is chosen or moves last, and what proofs make of it; the proofs left."""
    chosen, moved = says.get("chosen", []), {says["order"]["symbol"]} if "order" in says else set()
    names = [name for name, _ in chosen]
    between = [[["<=", low, name], ["<=", name, ["+", low, "1"]]] for name, low in chosen]
    usual = {letters.told(r, {})[0] for pair in between for r in pair}
    rows = [(g["is"], letters.words(g["is"])) for g in says["given"]]
    of_chosen = [raw for raw, words in rows if not words.isdisjoint(names)]
    of_moved = [raw for raw, words in rows if not words.isdisjoint(moved)]
    _ask({letters.told(raw, {})[0] for raw in of_chosen} <= usual, "more is given of what is chosen")
    letters.add(*(letters.read(raw, {}) for raw, _ in rows if raw not in (*of_chosen, *of_moved)))
    for raw in of_moved:
        _ask(letters.defined(letters.read(raw, {})), "a condition on what moves that is nowhere defined")
        letters.add(letters.read(raw, {}))
    proofs = letters.prove(proofs)
    for k, (name, low) in enumerate(chosen):  # from low to low + 1 there is a number, and a whole one
        fits = name in says["kinds"] and letters.words(low).isdisjoint(names[k:])
        _ask(fits and names.count(name) == 1, "what is chosen is no letter, or speaks of a later one")
        _ask(letters.defined(letters.value(low, {})), "from where on a number is chosen is not defined")
        for raw in between[k]:
            letters.add(letters.read(raw, {}))
        proofs = letters.prove(proofs)
    return proofs

def _concludes(end: Any, letters: _Letters, paper: Any, metric: list[Any]) -> bool:
    """Whether a last step claims the bound of the metric; what it lists or carries of the letters follows."""
    kinds = end["says"]["kinds"] | end["certificate"]["names"] | (end["closing"] or {}).get("names", {})
    why = {g["id"] for g in end["rests_on"] if g["kind"] == "listed" and end["id"] not in paper["lists"]}
    asked = [raw for raw, reason in end["says"]["lists"] if reason in {"", *why}]
    means = [["=", g["id"], g["is"]] for g in end["rests_on"]
             if g["kind"] == "meaning" and g["id"] in letters.own and g["is"][0] != "whole"
             and (g["id"] in letters.named
                  or {"real", "whole"}.issuperset(letters.spoken(kinds, g["is"]).values()))]
    for raw in (g["is"] for g in end["rests_on"] if g["kind"] == "carried"):
        line = letters.of_letters(raw, kinds) if raw[0] != "whole" else None
        if line is not None:
            line = letters.put(line)
            follows = letters.key(line) in letters.known and letters.defined(line)
            _ask(follows, f"its conditions do not give {_text(raw)}")
    for raw in means:  # its closing asks that they are defined
        _ask(letters.told(raw, kinds)[0] in letters.known, f"its conditions do not give {_text(raw)}")
    for raw in asked:  # a definition needs what the statement's own does
        granted = [letters.value(raw[1], {})] if raw[0] == "=" and raw[1] in [*letters.named] else []
        _ask(letters.follows(raw, kinds, *granted), f"its conditions do not give {_text(raw)}")
    claim, line = letters.told(end["says"]["claim"], kinds)
    least = letters.value("bound", {})
    signed = _plain(least) or _met(letters.facts, "nonnegative", _PLAIN(least), ())
    named = [m for m in metric if (_maybe(letters.told, m, kinds) or [()])[0] == claim]
    return letters.defined(least, line) and any(signed or _alone("bound", m) for m in named)

def _hides(says: Any, letters: _Letters) -> bool:
    """Whether an order comes down to its claim: left <= C*right where x is near its limit, C without x."""
    asked, x, end = says["order"], says["order"]["symbol"], says["order"]["limit"]
    def free(raw: Any) -> bool:
        return x not in letters.words(raw)
    def near(head: str, a: Any, b: Any) -> bool:
        """Whether a condition on x comes to hold: a <= x for oo, 0 < x or x below a number > 0 for 0."""
        small = end == "0" and ((a, b) == ("0", x) or (a == x and _NUMBER.fullmatch(b) and Fraction(b) > 0))
        return head in ("<", "<=") and bool(small or (end == "oo" and b == x and free(a)))
    claims = [["<=", asked["left"], ["*", asked["constant"], asked["right"]]]]
    moves = says["kinds"].get(x) == "real" or (says["kinds"].get(x) == "whole" and end == "oo")
    return (moves and end in ("oo", "0") and free(asked["constant"])
            and claims == [c["is"] for c in says["claim"]]
            and all(free(g["is"]) or near(*g["is"]) for g in says["given"]))

def _beside(row: Any, document: Mapping[str, Any], paper: Any) -> set[str]:
    """What the proof of a bound assumes that neither the statement names nor a bound on its way grants."""
    named = {a["id"] for a in row["assumptions"]}.union(*row["granted"].values())
    held, steps = {a["id"] for a in paper["assumptions"]}, {r["id"]: r for r in _steps(document)}
    def assumed(row: Any) -> set[str]:
        return held & {g["id"] for g in row["rests_on"] if g["kind"] in ("assumption", "cited")}
    if {*row["because"]}.isdisjoint(paper["lists"]):
        return assumed(row) - named
    reached, more = set[str](), {*row["because"]}
    while more:
        reached |= more
        more = {u for id in more for u in steps[id]["uses"]} & steps.keys() - reached
    below = set().union(assumed(row), *(assumed(steps[id]) for id in reached))
    why = {why for id in reached for _, why in (steps[id].get("says") or {"lists": []})["lists"] if why}
    counts = {w for w in why if w != _SIGN_OF and not w.startswith(("definition", "meaning"))}
    return (below | counts) - named

def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    _ask(len(dict(pairs)) == len(pairs), "a key that stands twice")
    return dict(pairs)

def _read(path: str) -> dict[str, Any]:
    place = f"{path}.xz" if exists(f"{path}.xz") and not exists(path) else path
    with (lzma.open if place.endswith(".xz") else open)(place, "rt", encoding="utf-8") as file:
        document: dict[str, Any] = json.load(file, object_pairs_hook=_once)
    rows = [*_steps(document), *document["statements"]]
    _ask(rows and all(isinstance(r, dict) for r in [document, *rows]), "no rows")
    return document

def _apart(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The steps of a paper at a time, with those of none; the whole, where papers share ids or steps."""
    steps = _steps(document)
    of = {normalize("NFKC", r["id"]): r.get("paper") for r in steps}
    keys = [key for key in dict.fromkeys(of.values()) if key is not None]
    named = ((r.get("paper"), id) for r in steps
             for id in (*(r.get("uses") or ()), *(c[0] for c in (r.get("says") or {}).get("cites", ()))))
    fits = len(of) == len(steps) and all(of.get(normalize("NFKC", id)) in (None, key) for key, id in named)
    return [{**document, "steps": [r for r in steps if r.get("paper") in (None, key)], "basis": []}
            for key in keys] if fits and len(keys) > 1 else [document]

def _spread(act: Callable[[Any], Any], tasks: list[Any]) -> Iterable[Any]:
    """What is done for each, in processes of their own where some can be started."""
    try:
        pool = Pool(min(len(tasks), cpu_count()), gc.disable)
    except OSError:
        return map(act, tasks)
    with pool:
        return pool.map(act, tasks, 1)

def main(arguments: Sequence[str], each: Callable[..., Any] = map) -> int:
    """Print a line for each check, or with --json the counts; the exit code is the worst found."""
    try:
        document = _read(*(a for a in arguments if a != "--json"))
        parts = _maybe(_apart, document) or [document]
        told = [[*dict.fromkeys(chain(*lists))] for lists in zip(*each(proofs, parts), strict=True)]
        found, (confirmed, rejected, without) = [*recheck(document)], told
        held, fallen, alone = statements(document, {*confirmed})
    except Exception as why:  # a file that is missing, damaged or of another kind
        sys.stdout.write(f"could not be read: {why!a}\n")
        return 2
    carrying = [r["id"] for r in _steps(document)
                if r["id"] in confirmed and any(g["kind"] == "carried" for g in r["rests_on"])]
    counts, wrong = Counter(code for _, code, _ in found), [id for id, code, _ in found if code]
    said = {"proofs": {"confirmed": len(confirmed), "rejected": [id for id, _ in rejected],
                       "without": without, "carrying": carrying},
            "statements": {"confirmed": len(held), "rejected": [id for id, _ in fallen], "without": alone},
            "numbers": {"confirmed": counts[0], "rejected": wrong}}
    words = [f"{id}: {said}" for id, _, said in found]
    words += [f"{id}: NOT CONFIRMED: the proof: {why}" for id, why in (*rejected, *fallen)]
    words += [f"{id}: NOT CONFIRMED: it stands without a proof" for id in (*without, *alone)]
    lines = [f"{line if line.isprintable() else ascii(line)}\n" for line in words]
    lines += [f"{counts[0]} confirmed, {counts[1]} not confirmed, {counts[2]} not read\n"]
    lines += [f"proofs: {len(confirmed)} confirmed, {len(carrying)} of them by what steps they use list; "
              f"{len(rejected)} not confirmed, {len(without)} without one\n"]
    lines += [f"statements that hold: {len(held)} by proofs that are confirmed, "
              f"{len(fallen)} not confirmed, {len(alone)} without one\n"]
    lines = [json.dumps(said) + "\n"] if "--json" in arguments else lines
    sys.stdout.writelines(lines)
    return 1 if counts[1] or rejected or without or fallen else 2 if wrong else 0

if __name__ == "__main__":
    gc.disable()  # there is next to nothing to be collected, and looking for it takes a seventh of the time
    sys.exit(main(sys.argv[1:], _spread))
