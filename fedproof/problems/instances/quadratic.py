"""A random quadratic with exact constants."""

from __future__ import annotations

from typing import Any

from fedproof.problems.quadratics.quadratic import Quadratic
from fedproof.problems.quadratics.random_quadratic import random_quadratic
from fedproof.vocabulary.options import MOST_NUMBER, Option, number, read_options, whole

OPTIONS = (
    Option("dimension", 5, whole(1, 200), "length of a model"),
    Option("samples", 5, whole(1, 10**5), "samples of each client"),
    Option("heterogeneity", "1/2", number(0, MOST_NUMBER), "the largest sigma_n of FedProxVR (5)"),
    Option(
        "sample_spread",
        "1/4",
        number(0, MOST_NUMBER),
        "how far a client's samples differ in their eigenvalues",
    ),
    Option("noise", 1, number(0, MOST_NUMBER), "size of the sample gradients at the minimum"),
    Option("condition", 10, number(1, MOST_NUMBER), "largest over smallest mean eigenvalue"),
    Option("smoothness", 1, number("1e-30", MOST_NUMBER), "L per sample"),
    Option("rotations", 1, whole(0, 1000), "reflections in the eigenbasis; 0 keeps the axes"),
)


def build(clients: int = 10, seed: int = 0, **options: Any) -> Quadratic:
    """A draw of `random_quadratic` in floats; `options` are its own, 5 dimensions and 5 samples a client.

    >>> build().constants["smoothness_sample"].value
    Fraction(1, 1)
    """
    given = {"dimension": 5, "samples": 5} | read_options(options, OPTIONS)
    return random_quadratic(seed, clients, **given).as_float()
