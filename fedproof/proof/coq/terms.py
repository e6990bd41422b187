"""Trees of certificates as Coq terms, everything in brackets, so that they can be read back."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from fedproof.proof.kernel.trees import NUMBER, Tree, free

Kinds = Mapping[str, str]

_SORTS = {"real": "R", "whole": "Z", "vector": "V"}
_NAMED = {"abs": "Rabs", "max": "Rmax", "min": "Rmin", "exp": "exp", "log": "ln"}
_SIGNS = {"<=": "<=", "<": "<", "=": "=", "!=": "<>"}


#: the vector 0 where it is told from the number
VECTOR_ZERO: Tree = ("zero",)


class LeftOut(ValueError):
    """What the exporter does not write; the message is its class."""


def kind(of: str) -> str:
    """A kind as a Coq type."""
    result, _, arguments = of.partition("(")
    parts = arguments.rstrip(")").split(",") if arguments else []
    return " -> ".join(_SORTS[k] for k in (*parts, result))


def name(of: str) -> str:
    """A name as an identifier that no other term of Coq has."""
    return "_" + of


def lemma(id: str) -> str:
    """The name of the lemma of a step."""
    return id.replace(".", "__")


def is_vector(tree: Tree, kinds: Kinds) -> bool:
    """Whether an expression is meant as a vector."""
    if isinstance(tree, str):
        return kinds.get(tree) == "vector"
    head = tree[0]
    if tree == VECTOR_ZERO:
        return True
    if head in ("+", "*"):
        return any(is_vector(p, kinds) for p in tree[1:])
    if head == "sum":
        return is_vector(tree[4], {**kinds, tree[1]: "whole"})
    return bool(head == "of" and kinds[tree[1]].startswith("vector("))


def literal(text: str) -> str:
    """A rational number."""
    p, _, q = text.partition("/")
    top = f"(-{p[1:]})" if p.startswith("-") else p
    return f"({top} / {q})" if q else top


def real(tree: Tree, kinds: Kinds) -> str:
    """An expression that is a number."""
    if isinstance(tree, str):
        if NUMBER.match(tree):
            return literal(tree)
        if tree not in kinds:
            raise LeftOut(f"the construct {tree}")
        return f"(IZR {name(tree)})" if kinds[tree] == "whole" else name(tree)
    head, *parts = tree
    if head in ("+", "*"):
        return infix(head, [real(p, kinds) for p in parts])
    if head == "^":
        return power(real(parts[0], kinds), parts[1])
    if head in _NAMED:
        return "(" + " ".join([_NAMED[head], *(real(p, kinds) for p in parts)]) + ")"
    if head in ("ip", "n2"):
        return "(" + " ".join([head, *(vector(p, kinds) for p in parts)]) + ")"
    if head == "sum":
        return summed("sumZ", parts, kinds)
    if head == "of":
        return applied(parts, kinds)
    if head == "upto":
        index, end, body = parts
        inside = real(body, {**kinds, index: "whole"})
        return f"(upto (fun {name(index)} : Z => {inside}) {whole(end, kinds)})"
    raise LeftOut(f"the construct {head}")


def power(base: str, exponent: Tree) -> str:
    """A power with a number as exponent: whole, or halves of one."""
    if not (isinstance(exponent, str) and NUMBER.match(exponent)):
        raise LeftOut("a power with an exponent that is no number")
    n = Fraction(exponent)
    if n.denominator > 2:
        raise LeftOut("a root that is no square root")
    if n.denominator == 2:
        base = f"(sqrt {base})"
    p = abs(n.numerator)
    raised = base if p == 1 else f"({base} ^ {p})"
    return f"(/ {raised})" if n < 0 else raised


def summed(head: str, parts: list[Tree], kinds: Kinds) -> str:
    """A sum over an index between two ends."""
    index, lo, hi, body = parts
    inner = {**kinds, index: "whole"}
    inside = real(body, inner) if head == "sumZ" else vector(body, inner)
    return f"({head} {whole(lo, kinds)} {whole(hi, kinds)} (fun {name(index)} : Z => {inside}))"


def applied(parts: list[Tree], kinds: Kinds) -> str:
    """A term of a sequence, a value of a function."""
    of, *arguments = parts
    expected = kinds[of].partition("(")[2].rstrip(")").split(",")
    told = [value(a, k, kinds) for a, k in zip(arguments, expected, strict=True)]
    return "(" + " ".join([name(of), *told]) + ")"


def vector(tree: Tree, kinds: Kinds) -> str:
    """An expression that is a vector."""
    if tree in ("0", VECTOR_ZERO):
        return f"(@vzero {'V' if 'vector' in ' '.join(kinds.values()) else 'reals'})"
    if isinstance(tree, str):
        return name(tree)
    head, *parts = tree
    if head == "+":
        return infix("[+]", [vector(p, kinds) for p in parts])
    if head == "*":
        (inner,) = (p for p in parts if is_vector(p, kinds))
        scale = [real(p, kinds) for p in parts if p is not inner]
        inside = vector(inner, kinds)
        return f"({infix('*', scale)} [*] {inside})" if scale else inside
    if head == "sum":
        return summed("vsum", parts, kinds)
    if head == "of":
        return applied(parts, kinds)
    raise LeftOut(f"the construct {head} of vectors")


def whole(tree: Tree, kinds: Kinds) -> str:
    """A whole expression, as an integer."""
    if isinstance(tree, str):
        if not NUMBER.match(tree):
            return name(tree)
        if "/" in tree:
            raise LeftOut("a whole expression with fractions")
        return f"({tree})%Z" if tree.startswith("-") else f"{tree}%Z"
    head, *parts = tree
    if head in ("+", "*"):
        inner = infix(head, [whole(p, kinds) for p in parts])
        return f"{inner}%Z" if len(parts) > 1 else inner
    if head == "^" and isinstance(parts[1], str) and parts[1].isdigit():
        return f"({whole(parts[0], kinds)} ^ {parts[1]})%Z"
    raise LeftOut(f"the construct {head} in a whole expression")


def value(tree: Tree, of: str, kinds: Kinds) -> str:
    """An expression, a name or a map of a kind."""
    if "(" not in of:
        return {"real": real, "whole": whole, "vector": vector}[of](tree, kinds)
    if isinstance(tree, str):
        return name(tree)
    result, _, arguments = of.partition("(")
    expected = dict(zip(tree[1], arguments.rstrip(")").split(","), strict=True))
    bound = " ".join(f"({name(n)} : {kind(k)})" for n, k in expected.items())
    return f"(fun {bound} => {value(tree[2], result, {**kinds, **expected})})"


def infix(sign: str, parts: list[str]) -> str:
    """A sum or a product."""
    if not parts:
        raise LeftOut("a sum or a product of nothing")
    return f"({f' {sign} '.join(parts)})" if len(parts) > 1 else parts[0]


def core(relation: Tree, kinds: Kinds) -> str:
    """What an order or an equation says, without what it needs."""
    head, a, b = relation
    if head == "=" and (is_vector(a, kinds) or is_vector(b, kinds)):
        return f"({vector(a, kinds)} = {vector(b, kinds)})"
    return f"({real(a, kinds)} {_SIGNS[head]} {real(b, kinds)})"


def within(index: str, lo: Tree, hi: Tree, kinds: Kinds, body: str) -> str:
    """What holds for every index in a range; its ends do not speak of it."""
    if index in free(lo) | free(hi):
        raise LeftOut("an index in its own range")
    i = name(index)
    return f"(forall {i} : Z, ({whole(lo, kinds)} <= {i} <= {whole(hi, kinds)})%Z -> {body})"
