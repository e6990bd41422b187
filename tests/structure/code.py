"""The package's source as data: modules, what they import and what they define."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "fedproof"


@dataclass(frozen=True)
class Module:
    """One source file: dotted name, whether it is a package, and its text."""

    name: str
    text: str
    package: bool = False

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the syntax tree."""
        return tuple(ast.walk(self.tree))

    @property
    def room(self) -> str:
        """The part below `fedproof` that the module belongs to; empty for the package itself."""
        return (self.name + "..").split(".")[1]


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package, read from disk and never imported."""
    return tuple(_read(path) for path in sorted(PACKAGE.rglob("*.py")))


def _read(path: Path) -> Module:
    parts = path.relative_to(ROOT).with_suffix("").parts
    package = parts[-1] == "__init__"
    name = ".".join(parts[:-1] if package else parts)
    return Module(name, path.read_text(encoding="utf-8"), package)


def imports(module: Module) -> Iterator[str]:
    """Dotted names that the module imports anywhere, functions included, relative ones resolved."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(module, node)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _absolute(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    parts = module.name.split(".")
    above = node.level - 1 if module.package else node.level
    return ".".join([*parts[: len(parts) - above], *([node.module] if node.module else [])])


def named_modules(module: Module, prefix: str = "fedproof.") -> Iterator[str]:
    """Strings that are, as a whole, the address of one of our modules (what a lazy import is given)."""
    for node in module.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            head = node.value.partition(":")[0]
            if head.startswith(prefix) and head.replace(".", "").replace("_", "").isalnum():
                yield head


def calls(module: Module) -> Iterator[tuple[str, ast.Call]]:
    """Every call whose callee has a name, with that name (the last part of a dotted one)."""
    for node in module.nodes:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id, node
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr, node
