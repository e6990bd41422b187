"""Trees as lines of plain mathematics."""

from __future__ import annotations

from fedproof.proof.kernel.trees import Tree


def text(tree: Tree) -> str:
    """A tree as one line of plain mathematics.

    >>> text(("<=", ("*", "2", "x"), ("n2", ("+", "u", "v"))))
    '2*x <= n2(u + v)'
    >>> text(("+", ("^", "t", "1/2"), ("^", "t", "1/3"), ("^", "1/2", "n")))
    'sqrt(t) + t**(1/3) + (1/2)**n'
    >>> text(("^", ("^", "t", "2"), "-1"))
    '(t**2)**(-1)'
    """
    return _text(tree, 0)


def _text(tree: Tree, tight: int) -> str:
    if isinstance(tree, str):
        return f"({tree})" if (tight and tree.startswith("-")) or (tight >= 3 and "/" in tree) else tree
    head, *parts = tree
    if head in ("<=", "<", "=", "!="):
        return f"{_text(parts[0], 0)} {head} {_text(parts[1], 0)}"
    if head == "all":
        return f"{_text(parts[3], 0)} for {parts[0]} = {_text(parts[1], 0)}..{_text(parts[2], 0)}"
    if head == "every":
        return f"{_text(parts[2], 0)} for every {parts[0]}"
    if head == "sum":
        return f"sum({_text(parts[3], 0)}, {parts[0]} = {_text(parts[1], 0)}..{_text(parts[2], 0)})"
    if head == "of":
        return f"{parts[0]}({', '.join(_text(p, 0) for p in parts[1:])})"
    if head == "+":
        said = " + ".join(_text(p, 1) for p in parts)
        return f"({said})" if tight >= 1 else said
    if head == "*":
        said = "*".join(_text(p, 2) for p in parts)
        return f"({said})" if tight >= 3 else said
    if head == "^" and parts[1] == "1/2":
        return f"sqrt({_text(parts[0], 0)})"
    if head == "^":
        said = f"{_text(parts[0], 4)}**{_text(parts[1], 3)}"
        return f"({said})" if tight >= 4 else said
    return f"{head}({', '.join(_text(p, 0) for p in parts)})"
