"""A user's function: found by its address, given what its parameters ask for, called on one case."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np

from fedproof.testing.cases import Case
from fedproof.testing.clients import Array, Client
from fedproof.testing.methods import Method
from fedproof.vocabulary.errors import InputError, UnknownName

#: canonical word -> what implementations call it
NAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "stepsize": ("stepsize", "lr", "learning_rate", "eta", "step_size"),
        "local_steps": ("local_steps", "steps", "epochs", "local_epochs", "tau", "K"),
        "prox_weight": ("prox_weight", "mu", "proximal_mu", "prox_mu"),
        "server_stepsize": ("server_stepsize", "eta_g", "server_lr", "server_learning_rate"),
        "l1_weight": ("l1_weight", "l1", "lam"),
        "prox": ("prox",),
        "rounds": ("rounds", "num_rounds", "R"),
    }
)
_WORDS = {name: word for word, names in NAMES.items() for name in names}


@dataclass(frozen=True)
class Implementation:
    """A function of a model and clients, and which of its parameters means what.

    Arguments:
        name: what it is called in messages.
        function: (w, clients, **parameters) -> model after a round, or after `rounds` of them.
        parameters: its own name for each canonical word that it takes.
    """

    name: str
    function: Callable[..., Any]
    parameters: tuple[tuple[str, str], ...]

    @property
    def runs_rounds(self) -> bool:
        """Whether it runs all rounds in one call."""
        return any(word == "rounds" for _, word in self.parameters)

    def answer(self, case: Case) -> tuple[Array, bool]:
        """The model after a case's rounds, and whether the model that was handed over stayed as it was.

        Raises: InputError where the function fails or returns no model.
        """
        clients = [Client(rows) for rows in case.clients]
        values = self._values(case)
        start = np.array([float(w) for w in case.start])
        given, untouched = start.copy(), True
        for _ in range(1 if self.runs_rounds else case.rounds):
            before = np.array(given)
            returned = self._called(given, clients, values)
            untouched = untouched and np.array_equal(before, given)
            given = returned
        return given, untouched

    def _values(self, case: Case) -> dict[str, Any]:
        l1 = float(case.l1_weight)
        known: dict[str, Any] = {
            "stepsize": float(case.stepsize), "local_steps": case.local_steps,
            "prox_weight": float(case.prox_weight), "server_stepsize": float(case.server_stepsize),
            "l1_weight": l1, "rounds": case.rounds, "prox": partial(_soft, l1),
        }  # fmt: skip
        return {name: known[word] for name, word in self.parameters}

    def _called(self, model: Array, clients: list[Client], values: Mapping[str, Any]) -> Array:
        with _guarded(self.name, "a model"):
            returned = self.function(model, clients, **values)
        if returned is None:
            raise InputError(self.name, "None", "the new model", "let it return w")
        with _guarded(self.name, "an array that NumPy can read"):
            found: Array = np.array(returned)  # a copy: what is returned may be written over
        if found.shape != model.shape:
            expected = f"one of shape {model.shape}, as the one given"
            raise InputError(self.name, f"a model of shape {found.shape}", expected)
        if found.dtype.kind not in "fiuO":
            raise InputError(self.name, f"a model of type {found.dtype}", "numbers")
        if np.ma.is_masked(returned):
            raise InputError(self.name, "a model with masked entries", "numbers", "return w.filled()")
        if odd := [x for x in found.ravel().tolist() if not isinstance(x, float | int | Fraction)]:
            got = f"a model that holds a {type(odd[0]).__name__}"
            raise InputError(self.name, got, "numbers", "return an array of floats")
        return found


def implementation(function: Callable[..., Any] | str, method: Method) -> Implementation:
    """A function or its address, checked against what a method needs.

    Arguments:
        function: the function, or MODULE:FUNCTION, or FILE.py:FUNCTION; the address is imported.
        method: whose parameters it is to take.

    Raises: InputError for an address that leads nowhere, or a function that cannot be called.
    """
    name = function if isinstance(function, str) else getattr(function, "__qualname__", repr(function))
    found = _imported(function) if isinstance(function, str) else function
    if not callable(found):
        raise InputError(name, f"a {type(found).__name__}", "a function of (w, clients, ...)")
    return Implementation(name, found, _bound(name, found, method))


def _bound(name: str, function: Callable[..., Any], method: Method) -> tuple[tuple[str, str], ...]:
    """The function's own name of each canonical word that it takes."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        raise InputError(name, "a callable without a signature", "a Python function") from None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if len(parameters) < 2 or any(p.kind not in positional for p in parameters[:2]):
        raise InputError(name, f"parameters {inspect.signature(function)}", "(w, clients, ...)")
    own = [p for p in parameters[2:] if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    takes = [(p.name, _WORDS[p.name]) for p in own if p.name in _WORDS]
    unknown = [p.name for p in own if p.name not in _WORDS and p.default is p.empty]
    if unknown:
        raise InputError(name, f"a parameter {unknown[0]} without a default", "one of " + ", ".join(_WORDS),
                         "rename it or give it a default")  # fmt: skip
    words = {word for _, word in takes}
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        wanted = {word for group in method.needs for word in group[:1]} | {"stepsize", "local_steps"}
        takes += [(word, word) for word in sorted(wanted - words)]
        words |= wanted
    for group in (*method.needs, *((("rounds",),) if method.remembers else ())):
        if not words & set(group):
            names = [n for word in group for n in NAMES[word]]
            raise InputError(name, f"no parameter for the {group[0]} of {method.name}",
                             "one named " + ", ".join(names), f"add {group[0]}")  # fmt: skip
    return tuple(takes)


def _imported(address: str) -> Any:
    module, colon, function = address.rpartition(":")
    if not colon or not module or not function:
        raise InputError(
            "function", address, "MODULE:FUNCTION or FILE.py:FUNCTION", "write my_module:my_round"
        )
    with _guarded(module, "a module that can be imported"):
        found = _from_file(Path(module)) if module.endswith(".py") else _from_path(module)
    known = [n for n in vars(found) if not n.startswith("_") and callable(getattr(found, n))]
    if not known:
        raise InputError("function", address, f"a function in {module}, which has none", "check the file")
    at: Any = found
    for part in function.split("."):
        if not hasattr(at, part):
            raise UnknownName(f"function of {module}", function, known)
        at = getattr(at, part)
    return at


def _from_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError("function", path, "a file that is there")
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise InputError("function", path, "a Python file")
    module = module_from_spec(spec)
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent.resolve()))
    return module


def _from_path(name: str) -> ModuleType:
    """A module of the current folder or of an installed package."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        return import_module(name)
    finally:
        sys.path.remove(here)


@contextmanager
def _guarded(name: str, expected: str) -> Iterator[None]:
    """A user's code: what it prints goes to stderr, what it raises becomes one line."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except InputError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        got = f"{type(error).__name__}: {error}"
        raise InputError(name, got, expected, f"look at {_last_line(error)}") from error


def _last_line(error: BaseException) -> str:
    """Where the error was raised: file and line."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}, line {error.lineno}"
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "it"
    return f"{Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}"


def _soft(weight: float, v: Any, length: Any) -> Array:
    """The minimiser over x of length weight |x|_1 + |x - v|^2 / 2."""
    at = np.asarray(v)
    found: Array = np.sign(at) * np.maximum(np.abs(at) - length * weight, 0)
    return found


def as_fractions(model: Array) -> tuple[Fraction, ...] | None:
    """The exact numbers of a model; None where one is not finite."""
    values = model.tolist()
    if not all(isinstance(v, Fraction) or abs(v) < float("inf") for v in values):
        return None
    return tuple(Fraction(v) for v in values)
