"""A random strongly convex quadratic plus a penalty, with exact constants, minimiser and least loss."""

from __future__ import annotations

from typing import Any

from fedproof.problems.composite.composite import Composite
from fedproof.problems.composite.penalty import composite_options
from fedproof.problems.composite.random_composite import random_smooth_part
from fedproof.vocabulary.options import MOST_NUMBER, Option, number, whole

COMPOSITE = True
OPTIONS = (
    Option("dimension", 5, whole(1, 50), "length of a model"),
    Option("samples", 6, whole(1, 10**4), "samples of each client; one leaves no noise"),
    Option("heterogeneity", "1/2", number(0, 100), "how far the clients' eigenvalues lie from their mean"),
    Option("gap", 1, number(0, MOST_NUMBER), "size of the clients' gradients where f is least"),
    Option("noise", 1, number(0, MOST_NUMBER), "length of a sample gradient's deviation: sigma"),
    Option("condition", 10, number(1, MOST_NUMBER), "L over mu of the mean matrix"),
    Option("smoothness", 1, number("1e-30", MOST_NUMBER), "L of every f_i"),
    Option("rotations", 1, whole(0, 100), "reflections in the eigenbasis; 0 keeps the axes"),
)


def build(clients: int = 10, seed: int = 0, **options: Any) -> Composite:
    """A draw of `random_smooth_part` in floats, plus (1/10) |x|_1 by default.

    Arguments:
        clients: how many, of equally many samples.
        seed: of all draws.
        options: those of `random_smooth_part`, and of the penalty.

    >>> build().constants["least_loss"].kind, build(penalty="box").constants["least_loss"].kind
    ('exact', 'exact')
    """
    own, penalty = composite_options(options, OPTIONS, "1/10")
    return Composite(random_smooth_part(seed, clients, **own).as_float(), penalty)
