"""A model by name, with its options."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any

from fedproof.problems.discovery import found, load
from fedproof.problems.model import Model
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.values import parse_value

__all__ = ["make_model", "model_names", "option_names", "whole"]

_MODELS = "fedproof.problems.models"
#: what the data say, not the user
_FROM_DATA = ("classes", "features")


def model_names() -> tuple[str, ...]:
    """Names that `make_model` knows.

    >>> {"softmax", "perceptron"} <= set(model_names())
    True
    """
    return tuple(found(_MODELS, _MODELS))


def option_names(model: str) -> tuple[str, ...]:
    """Options of a model: what its `MODEL` takes and the data do not decide.

    >>> option_names("softmax"), option_names("perceptron")
    ((), ('hidden', 'activation', 'model_seed'))
    """
    built = load(_MODELS, _MODELS, model, "model").MODEL
    return tuple(name for name in signature(built).parameters if name not in _FROM_DATA)


def make_model(model: str, classes: int, features: int, options: Mapping[str, Any] | None = None) -> Model:
    """The model of this name for data with `classes` classes (0: real targets) and `features` columns.

    Arguments:
        model: a file of `problems/models`, or an entry point of another distribution.
        classes, features: of the data, a bias not counted; models that take `features` get the second.
        options: by name; numbers may be text.

    Raises: UnknownName for a model or option that is not known; InputError for what the model refuses.

    >>> make_model("perceptron", 10, 65, {"hidden": "16"}).dimension(65)
    1210
    """
    built = load(_MODELS, _MODELS, model, "model").MODEL
    given, known = dict(options or {}), option_names(model)
    for option in given:
        if option not in known:
            raise UnknownName(f"option of model {model}", option, known or ("none",))
    if "features" in signature(built).parameters:
        given["features"] = features
    made: Model = built(classes, **given)
    return made


def whole(name: str, value: Any, least: int, most: int = 1 << 20) -> int:
    """`value`, a number or text, as an int from `least` to `most`.

    >>> whole("hidden", "8", 1)
    8
    """
    exact = parse_value(value, name)
    if exact.denominator != 1 or not least <= exact <= most:
        raise InputError(name, value, f"a whole number from {least} to {most}", f"write {name}={least}")
    return int(exact)
