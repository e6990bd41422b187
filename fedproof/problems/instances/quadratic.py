"""A random quadratic with exact constants."""

from __future__ import annotations

from typing import Any

from fedproof.problems.options import Option, number, read_options, whole
from fedproof.problems.quadratic import Quadratic
from fedproof.problems.random_quadratic import random_quadratic

__all__ = ["OPTIONS", "build"]

OPTIONS = (
    Option("dimension", 5, whole(1, 10_000), "length of a model"),
    Option("samples", 5, whole(1, 10**6), "samples of each client"),
    Option("heterogeneity", "1/2", number(0), "the largest sigma_n of FedProxVR (5)"),
    Option("sample_spread", "1/4", number(0), "how far a client's samples differ in their eigenvalues"),
    Option("noise", 1, number(0), "size of the sample gradients at the minimum"),
    Option("condition", 10, number(1), "largest over smallest mean eigenvalue"),
    Option("smoothness", 1, number(0, above=True), "L per sample"),
    Option("rotations", 1, whole(0, 1000), "reflections in the eigenbasis; 0 keeps the axes"),
)


def build(clients: int = 10, seed: int = 0, **options: Any) -> Quadratic:
    """A draw of `random_quadratic` in floats; `options` are its own, 5 dimensions and 5 samples a client.

    >>> build().constants["smoothness_sample"].value
    Fraction(1, 1)
    """
    given = {"dimension": 5, "samples": 5} | read_options(options, OPTIONS)
    return random_quadratic(seed, clients, **given).as_float()
