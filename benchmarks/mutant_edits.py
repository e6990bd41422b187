"""Small changes of Python source by ordinary operators, each within one line.

Strings, docstrings, raised errors, annotations, decorators, logging and what stands outside functions stay.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

COMPARISONS = {
    ast.Lt: ("<", "<=", ">="), ast.LtE: ("<=", "<", ">="), ast.Gt: (">", ">=", "<="),
    ast.GtE: (">=", ">", "<="), ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"), ast.Pow: ("**", "*"),
}  # fmt: skip
CONNECTIVES = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SKIPPED_FIELDS = {"decorator_list", "annotation", "returns", "type_params"}
SKIPPED_CALLS = {"logging", "logger", "warnings", "cast"}


@dataclass(frozen=True)
class Edit:
    """Within the bytes from `start` to `end` of one line, `old` is replaced by `new`; "{}" is all of them."""

    kind: str
    index: int
    start: int
    end: int
    old: str
    new: str

    def applied(self, line: str) -> str:
        """The line after the change."""
        raw = line.encode()
        part = raw[self.start : self.end].decode()
        part = self.new.replace("{}", part) if self.old == "{}" else part.replace(self.old, self.new, 1)
        return raw[: self.start].decode() + part + raw[self.end :].decode()


def edits(node: ast.AST, within: bool = False) -> Iterator[Edit]:
    """The changes of what stands in functions below a node."""
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or field in SKIPPED_FIELDS or _left_alone(child):
                continue
            if within:
                yield from _edits_of(child)
            yield from edits(child, within or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef))


def _left_alone(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return bool(SKIPPED_CALLS & {n.id for n in ast.walk(node.func) if isinstance(n, ast.Name)})
    return isinstance(node, ast.Raise | ast.JoinedStr | ast.arg)


def _edits_of(node: ast.AST) -> Iterator[Edit]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for one, op, other in zip([left, *others], ops, others, strict=False):
                yield from _between("comparison", one, other, COMPARISONS[type(op)])
        case ast.BinOp(left=left, op=op, right=right) | ast.AugAssign(target=left, op=op, value=right):
            if type(op) in ARITHMETIC and not _speaks(left) and not _speaks(right):
                yield from _between("arithmetic", left, right, ARITHMETIC[type(op)])
        case ast.BoolOp(op=op, values=[left, right, *_]):
            yield from _between("connective", left, right, CONNECTIVES[type(op)])
        case ast.Constant(value=bool() | int() | float() as value):
            yield from _whole("constant", node, repr(_next(value)))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield from _whole("return", value, "None")
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield from _whole("negation", test, "not ({})")
        case ast.comprehension(ifs=tests):
            yield from (edit for test in tests for edit in _whole("negation", test, "not ({})"))
        case ast.Call(func=function, args=arguments, keywords=keywords):
            if isinstance(function, ast.Name) and function.id in FUNCTIONS:
                yield from _whole("function", function, FUNCTIONS[function.id])
            given: list[ast.expr | ast.keyword] = [*arguments, *keywords]
            for last, dropped in pairwise(given):
                if last.end_lineno == dropped.lineno == dropped.end_lineno:
                    ends = last.end_col_offset or 0, dropped.end_col_offset or 0
                    yield Edit("argument", dropped.lineno - 1, *ends, "{}", "")


def _next(value: float) -> float:
    """Another constant of the same type: the other, the next, the double."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else 2 * value


def _between(kind: str, left: ast.expr, right: ast.expr, operators: Sequence[str]) -> Iterator[Edit]:
    """The operator that stands between two operands of one line, replaced."""
    if left.end_lineno == right.lineno:
        for new in operators[1:]:
            yield Edit(kind, right.lineno - 1, left.end_col_offset or 0, right.col_offset, operators[0], new)


def _whole(kind: str, node: ast.expr, new: str) -> Iterator[Edit]:
    """An expression of one line, replaced."""
    if node.lineno == node.end_lineno:
        yield Edit(kind, node.lineno - 1, node.col_offset, node.end_col_offset or 0, "{}", new)


def _speaks(node: ast.AST) -> bool:
    """Whether text stands in it."""
    return any(isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(node))
