"""Formulas as text, read into the trees that certificates are written in."""

from __future__ import annotations

import ast
from fractions import Fraction

from fedproof.proof.kernel.trees import Tree
from fedproof.vocabulary.errors import InputError

_SUMS = {ast.Add: "+", ast.Sub: "+", ast.Mult: "*", ast.Div: "*"}
_ORDER = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "=", ast.NotEq: "!=", ast.GtE: "<=", ast.Gt: "<"}
_HEADS = ("ip", "n2", "abs", "max", "min")


def formula(text: str) -> Tree:
    """A relation in +, -, *, /, **, `ip`, `n2`, `abs`, `max`, `min`, `sum` and functions, as a tree.

    Arguments:
        text: such as "g(x) + ip(dg(x), y - x) <= g(y)"; `sum(a(i), i, 1, n)` is the sum over i from 1 to n.

    Raises: InputError.

    >>> formula("2*f(x) <= n2(x)")
    ('<=', ('*', '2', ('of', 'f', 'x')), ('n2', 'x'))
    """
    try:
        found = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        raise InputError("formula", text, "a relation such as f(x) <= n2(x)") from None
    if not (isinstance(found, ast.Compare) and len(found.ops) == 1):
        raise InputError("formula", text, "one relation between two expressions")
    left, right = _expression(found.left, text), _expression(found.comparators[0], text)
    if isinstance(found.ops[0], ast.GtE | ast.Gt):
        left, right = right, left
    return (_ORDER[type(found.ops[0])], left, right)


def _expression(node: ast.expr, text: str) -> Tree:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return str(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _times("-1", _expression(node.operand, text))
    if isinstance(node, ast.BinOp):
        return _operation(node, text)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        name, parts = node.func.id, tuple(_expression(a, text) for a in node.args)
        if name == "sum" and len(parts) == 4:
            return ("sum", parts[1], parts[2], parts[3], parts[0])
        return (name, *parts) if name in _HEADS else ("of", name, *parts)
    raise InputError("formula", text, "numbers, names, +, -, *, /, ** and functions")


def _operation(node: ast.BinOp, text: str) -> Tree:
    left, right = _expression(node.left, text), _expression(node.right, text)
    if isinstance(node.op, ast.Pow):
        return ("^", left, right)
    if isinstance(node.op, ast.Div) and _whole(left) and _whole(right):
        return str(Fraction(int(left), int(right)))
    if isinstance(node.op, ast.Sub):
        right = _times("-1", right)
    if isinstance(node.op, ast.Div):
        right = ("^", right, "-1")
    head = _SUMS.get(type(node.op))
    if head is None:
        raise InputError("formula", text, "+, -, *, / and **")
    return (head, *_parts(head, left), *_parts(head, right))


def _whole(tree: Tree) -> bool:
    return isinstance(tree, str) and tree.lstrip("-").isdigit()


def _times(factor: str, tree: Tree) -> Tree:
    if _whole(tree):
        return str(-int(tree))
    return ("*", factor, *_parts("*", tree))


def _parts(head: str, tree: Tree) -> tuple[Tree, ...]:
    return tree[1:] if isinstance(tree, tuple) and tree[0] == head else (tree,)
