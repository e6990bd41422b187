"""A model by name, with its options; and which models are ours, whose facts are proved."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Parameter, signature
from typing import Any

from fedproof.problems.supervised.model import Model
from fedproof.problems.supervised.models.absolute import Absolute
from fedproof.problems.supervised.models.cauchy import Cauchy
from fedproof.problems.supervised.models.hinge import Hinge
from fedproof.problems.supervised.models.huber import Huber
from fedproof.problems.supervised.models.least_squares import LeastSquares
from fedproof.problems.supervised.models.logistic import Logistic
from fedproof.problems.supervised.models.softmax import Softmax
from fedproof.vocabulary.discovery import addresses, load
from fedproof.vocabulary.errors import UnknownName

#: what the data say, not the user
_FROM_DATA = ("classes", "features")
_LINEAR = (Absolute, Cauchy, Hinge, Huber, LeastSquares, Logistic, Softmax)


def model_names() -> tuple[str, ...]:
    """Names that `make_model` knows.

    >>> {"softmax", "perceptron"} <= set(model_names())
    True
    """
    return tuple(addresses("models"))


def option_defaults(model: str) -> dict[str, Any]:
    """Options of a model and their defaults, None where there is none: what the data do not decide.

    >>> option_defaults("softmax"), option_defaults("perceptron")
    ({}, {'hidden': 32, 'activation': 'tanh', 'model_seed': 0})
    """
    taken = signature(load("models", model, "model").MODEL).parameters.values()
    return {
        p.name: None if p.default is Parameter.empty else p.default for p in taken if p.name not in _FROM_DATA
    }


def make_model(model: str, classes: int, features: int, options: Mapping[str, Any] | None = None) -> Model:
    """The model of this name for data with `classes` classes (0: real targets) and `features` columns.

    Arguments:
        model: a file of `problems/models`, or an entry point of another distribution.
        classes, features: of the data, without a bias; models that take `features` get the second.
        options: by name; numbers may be text.

    Raises: UnknownName for a model or option that is not known; InputError for what the model refuses.

    >>> make_model("perceptron", 10, 65, {"hidden": "16"}).dimension(65)
    1210
    """
    built = load("models", model, "model").MODEL
    given, known = dict(options or {}), option_defaults(model)
    for option in given:
        if option not in known:
            raise UnknownName(f"option of model {model}", option, known or ("none",))
    if "features" in signature(built).parameters:
        given["features"] = features
    made: Model = built(classes, **given)
    return made


def known_name(model: Any) -> str:
    """The name of one of our linear models; empty for every other, whatever it calls itself.

    Bounds on gradients and third derivatives, and compiled losses, belong to the class: a subclass may
    change the loss and keep the name.

    >>> known_name(Softmax(3))
    'softmax'
    """
    return str(model.name) if type(model) in _LINEAR else ""
