"""Rules that every source file keeps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.structure.code import ROOT, Module, calls, imports, modules

LINES = 400
#: copied as one file, whose length its own test bounds; and a table of formulas
ONE_FILE = {"fedproof.validate.recheck", "fedproof.papers.composite.standing"}
CODE_FROM_TEXT = {"eval", "exec", "__import__", "parse_expr", "sympify", "S"}
UNPICKLING = {"cloudpickle", "dill", "marshal", "pickle", "shelve"}
MAY_PRINT = {"cli", "output", "report", "terminal"}


def dangers(module: Module) -> Iterator[str]:
    """What in a module turns text into code, unpickles, or prints where it may not."""
    for name, call in calls(module):
        bare = isinstance(call.func, ast.Name)
        if name in CODE_FROM_TEXT and (bare or name not in {"eval", "exec"}) and not _harmless(call):
            yield f"{module.name}:{call.lineno} calls {name}"
        if name == "print" and bare and module.room not in MAY_PRINT:
            yield f"{module.name}:{call.lineno} prints"
        if any(k.arg == "allow_pickle" and not _is(k.value, False) for k in call.keywords):
            yield f"{module.name}:{call.lineno} allows pickle"
    for name in imports(module):
        if name.partition(".")[0] in UNPICKLING:
            yield f"{module.name} imports {name}"


def _harmless(call: ast.Call) -> bool:
    """Whether the argument is a whole number, or text is refused (`strict=True`)."""
    strict = any(k.arg == "strict" and _is(k.value, True) for k in call.keywords)
    return strict or [type(a.value) for a in call.args if isinstance(a, ast.Constant)] == [int]


def _is(node: ast.expr, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def undocumented(all_modules: tuple[Module, ...]) -> list[str]:
    """Public modules, classes, functions and methods without a docstring.

    A method counts as documented where a class of the package documents the same name:
    what `round` or `to_dict` means is said once, on the interface.
    """
    methods = [(m, c, f) for m in all_modules for c in _classes(m) for f in _functions(c)]
    interface = {f.name for _, _, f in methods if ast.get_docstring(f)}
    missing = [m.name for m in all_modules if not ast.get_docstring(m.tree)]
    for m in all_modules:
        definitions = [*_classes(m), *_functions(m.tree)]
        missing += [f"{m.name}.{d.name}" for d in definitions if not ast.get_docstring(d)]
    missing += [f"{m.name}.{c.name}.{f.name}" for m, c, f in methods if f.name not in interface]
    return missing


def _classes(module: Module) -> list[ast.ClassDef]:
    return [n for n in module.tree.body if isinstance(n, ast.ClassDef) and not n.name.startswith("_")]


def _functions(node: ast.Module | ast.ClassDef) -> list[ast.FunctionDef]:
    return [n for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")]


def test_files_are_small() -> None:
    """No file of the package is longer than 400 lines, but for the one that stands alone."""
    long = {m.name: m.text.count("\n") for m in modules() if m.text.count("\n") > LINES}

    assert long.keys() <= ONE_FILE


def test_nothing_dangerous() -> None:
    """The library never makes code from text, never unpickles and never prints."""
    found = [line for module in modules() for line in dangers(module)]

    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "eval('1')",
        "def f(x):\n    exec(x)",
        "import sympy\nsympy.sympify('x')",
        "from sympy import S\nS(text)",
        "sympy.S('1/3')",
        "sympify(x, strict=False)",
        "import pickle",
        "def f():\n    from pickle import loads",
        "np.load(path, allow_pickle=True)",
        "print('hello')",
    ],
)
def test_danger_is_caught(text: str) -> None:
    """Each forbidden act is seen when planted."""
    assert len(list(dangers(Module("fedproof.bounds.x", text)))) == 1


def test_harmless_code_passes() -> None:
    """Methods that share a forbidden name, whole numbers, strict conversion and the command line pass."""
    text = (
        "S(1)\nsympify(x, strict=True)\nmodel.eval()\nconsole.print('x')\nnp.load(path, allow_pickle=False)"
    )

    assert list(dangers(Module("fedproof.bounds.x", text))) == []
    assert list(dangers(Module("fedproof.cli", "print('x')"))) == []


def test_public_names_are_documented() -> None:
    """Every public module, class, function and method has a docstring."""
    assert undocumented(modules()) == []


def test_a_missing_docstring_is_caught() -> None:
    """Modules, classes, functions and methods without a docstring are all seen when planted."""
    planted = Module("fedproof.x", "def f(): ...\nclass C:\n    def m(self): ...\ndef _hidden(): ...")

    assert undocumented((planted,)) == ["fedproof.x", "fedproof.x.C", "fedproof.x.f", "fedproof.x.C.m"]


def test_tests_say_what_they_test() -> None:
    """Every test function has a docstring that states the behaviour."""
    silent = [
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not ast.get_docstring(node)
    ]

    assert silent == []
