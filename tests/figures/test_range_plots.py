"""Ranges and regions as pictures: the ends are those of `range`, the points inside pass `check`."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure
from matplotlib.mathtext import MathTextParser
from matplotlib.text import Text
from sympy import Symbol

import fedproof as fp
from fedproof.algebra.ranges.admissible import admissible
from fedproof.bounds.catalog import statements
from fedproof.figures.canvas import symbol_label
from fedproof.vocabulary.errors import InputError, UnknownName
from fedproof.vocabulary.papers import papers

Row = namedtuple("Row", "label relation")
X = Symbol("x", real=True)
CASES: list[tuple[str, str, str, dict[str, Any]]] = [
    ("fedproxvr.lemma1.svrg", "beta", "tau", {"theta": "1/2", "mu": 200, "L": 1, "lam": "1/2"}),
    ("fedproxvr.certified.sarah", "mu", "tau", {"L": 1, "lam": "1/2", "sigma2": 1, "beta": 60}),
    ("fedprox.theorem1.general", "eta", "eps", {"L": 1, "G": 1, "T": 10, "I": 5}),
    ("composite.theorem3.6.repaired", "eta", "mu", {"L": 1, "n": 10, "tau": 4, "eta_g": 2}),
    ("composite.theorem3.5", "eta_g", "eta", {"L": 1, "n": 30, "tau": 5, "b": 1, "sigma2": 1, "B_g": 1}),
]


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """No figure of pyplot is left open."""
    yield
    pyplot.close("all")


def circles(axes: Any) -> list[tuple[float, bool]]:
    """Where circles are drawn, and which are filled."""
    found = [line for line in axes.get_lines() if line.get_marker() == "o"]
    return [(line.get_xdata()[0], line.get_markerfacecolor() != "white") for line in found]


def texts(axes: Any) -> list[str]:
    """Everything that is written in the axes."""
    return [text.get_text() for text in axes.texts]


def test_the_ends_drawn_are_those_of_the_range() -> None:
    """A closed interval has two filled circles at its ends, and the conditions that bind under them."""
    lemma = fp.statement("fedproxvr.lemma1.svrg")
    found = lemma.range("tau", beta=400, theta="1/2", mu=200, L=1, lam="1/2")
    axes = found.plot()

    assert [at for at, _ in circles(axes)] == found.intervals[0]
    assert [filled for _, filled in circles(axes)] == [True, True]
    assert {"(14) lower", "(14) upper"} <= {*texts(axes)}
    assert axes.get_xlabel() == r"local steps $\tau$"


def test_open_ends_and_arrows() -> None:
    """Of (-inf, -2] or [-1, 1] or [2, 5) the ends at 5 alone is hollow, and an arrow points to the left."""
    found = admissible([Row("quartic", (X**2 - 1) * (X**2 - 4) >= 0), Row("cap", X < 5)], "x", {}, {})
    axes = found.plot()

    assert circles(axes) == [(-2, True), (-1, True), (1, True), (2, True), (5, False)]
    assert [line.get_marker() for line in axes.get_lines() if line.get_marker() in ("<", ">")] == ["<"]
    assert texts(axes).count("quartic") == 4


def test_a_single_point_is_one_circle() -> None:
    """An interval of one number is drawn once, with its exact value."""
    axes = admissible([Row("square", (3 * X - 1) ** 2 <= 0)], "x", {}, {}).plot()

    assert circles(axes) == [(pytest.approx(1 / 3), True)]
    assert "1/3" in texts(axes)


def test_texts_of_near_ends_do_not_meet() -> None:
    """Ends so near that their values would overlap have them in different rows."""
    near = (X - 3) * (10 * X - 31) <= 0
    axes = admissible([Row("near", (X + 5) * near.lhs * X >= 0), Row("cap", X <= 100)], "x", {}, {}).plot()
    axes.figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in axes.texts]

    assert not [1 for i, a in enumerate(boxes) for b in boxes[:i] if a.overlaps(b)]


def test_a_range_over_decades_is_logarithmic() -> None:
    """Positive ends more than two decades apart lie on a logarithmic line, others not."""
    far = admissible([Row("low", 1000 * X >= 1), Row("high", X < 7)], "x", {}, {})
    near = admissible([Row("low", X >= 1), Row("high", X < 7)], "x", {}, {})

    assert far.plot().get_xscale() == "log"
    assert near.plot().get_xscale() == "linear"


def test_nothing_admissible_is_said() -> None:
    """An empty range is a line without intervals that says what excludes each other."""
    lemma = fp.statement("fedproxvr.lemma1.svrg")
    axes = lemma.range("tau", beta=20, theta="1/2", mu=30, L=1, lam="1/2").plot(Figure().subplots())

    assert circles(axes) == []
    assert "(14) upper" in texts(axes)[0].replace("\n", " ")


@pytest.mark.parametrize(("id", "x", "y", "given"), CASES, ids=lambda case: str(case)[:28])
def test_points_inside_pass_the_check_and_points_outside_fail(
    id: str, x: str, y: str, given: dict[str, Any]
) -> None:
    """Random points of the picture lie in its area if and only if the statement applies there."""
    axes = fp.region(id, x, y, **given).plot()
    areas = [path for collection in axes.collections for path in collection.get_paths()]
    assert axes.lines
    curves = [line.get_path().interpolated(20).vertices for line in axes.get_lines()]
    curve = axes.transData.transform(np.concatenate(curves))
    rng = np.random.Generator(np.random.Philox(11))
    spots = axes.transAxes.transform(rng.uniform(0.01, 0.99, (250, 2)))
    handle, seen = fp.statement(id), {True: 0, False: 0}
    domains = [handle.letter(name).domain for name in (x, y)]
    for spot in spots:
        point = axes.transData.inverted().transform(spot)
        if np.hypot(*(curve - spot).T).min() < 4:  # pixels: a curve between two columns is not asked
            continue
        inside = any(path.contains_point(point) for path in areas)
        exact = [Fraction(repr(float(v))) for v in point]
        applies = all(v in d for v, d in zip(exact, domains, strict=True))
        if applies:
            applies = handle.applies(**given, **dict(zip((x, y), exact, strict=True)))
        assert inside == applies, (x, y, point)
        seen[inside] += 1
    assert min(seen.values()) > 15


def test_every_part_of_a_boundary_bears_its_condition() -> None:
    """Theorem 1 of FedProx in its step size and accuracy: an upper curve, a wall at 1/(3 L), a domain."""
    found = fp.region("fedprox.theorem1.general", "eps", "eta", L=1, G=1, T=10, I=5)
    axes = found.plot()

    assert {*texts(axes)} == {"eps, drift", "3 L eta <= 1", "domain of eps"} == {*found.binding}
    wall = fp.region("fedprox.theorem1.general", "eta", "eps", L=1, G=1, T=10, I=5).walls[-1]
    assert (wall.at, wall.labels, wall.is_open) == (pytest.approx(1 / 3), ("3 L eta <= 1",), False)


def test_each_column_is_a_range() -> None:
    """The ends in a column are those of `range` with the first symbol given, and the frame has them all."""
    id, x, y, given = CASES[0]
    found = fp.region(id, x, y, columns=8, **given)

    for column in found.columns[::4]:
        found_there = fp.statement(id).range(y, **{x: column.at}, **given)
        assert (column.range.exact, column.range.binding) == (found_there.exact, found_there.binding)
    assert len(found.frame) == 2 * len(found.columns)
    assert found.to_dict()["columns"][3]["intervals"] == found.columns[3].range.intervals


def test_a_corner_is_found() -> None:
    """Where the second condition on the accuracy takes over from the third, two columns are close."""
    given = {"L": 1, "G": 1, "T": 10, "I": 5, "eta": "1/10"}
    found = fp.region("fedprox.theorem3.general", "b", "eps", window=(1, 1000), **given)
    changes = [(p, q) for p, q in pairwise(found.columns) if p.pattern != q.pattern]
    axes = found.plot()
    parts = {line.get_color(): line.get_xydata() for line in axes.get_lines() if len(line.get_xydata()) > 2}
    names = {text.get_text(): parts[text.get_color()] for text in axes.texts if text.get_color() in parts}

    assert [pair[1].range.stretches[0].binding[1] for pair in changes] == [("eps, second",)]
    assert changes[0][1].at / changes[0][0].at < 1.01
    assert names["eps, third"][-1].tolist() == names["eps, second"][0].tolist()


def test_curves_are_drawn_closely() -> None:
    """From one column to the next no end moves by more than a twentieth of all ends' height."""
    found = fp.region("fedproxvr.lemma1.sarah", "mu", "tau", L=1, lam=0, beta=20, theta="1/2", columns=5)
    ends = np.array([column.range.intervals[0] for column in found.columns])

    assert np.abs(np.diff(ends, axis=0)).max() < np.ptp(ends) / 20


def test_names_at_the_frame_are_written_inside() -> None:
    """A wall at the picture's own edge has its name inside, where there are no ticks."""
    given = {"L": 1, "G": 1, "T": 10, "I": 5, "eta": "1/10"}
    axes = fp.region("fedprox.theorem3.general", "b", "eps", window=(1, 1000), **given).plot()
    wall = next(text for text in axes.texts if text.get_text() == "domain of b")

    assert axes.bbox.x0 < wall.get_window_extent().x0


def test_what_is_asked_wrongly_is_said() -> None:
    """One symbol twice, a symbol that is given a value, an unknown one and an empty window are refused."""
    id, x, y, given = CASES[0]
    with pytest.raises(UnknownName, match="second symbol"):
        fp.region(id, x, x, **given)
    with pytest.raises(InputError, match="tau"):
        fp.region(id, x, y, tau=3, **given)
    with pytest.raises(UnknownName, match="beta"):
        fp.region(id, "betta", y, **given)
    for window in ((5, 5), (-3, -1)):
        with pytest.raises(InputError, match="window of beta"):
            fp.region(id, x, y, window=window, **given)
    for columns in (1, 10**9):
        with pytest.raises(InputError, match=r"columns: got .* from 2 to 2000"):
            fp.region(id, x, y, columns=columns, **given)


def test_an_empty_region_says_why() -> None:
    """Where no pair is admissible the headline and the picture say what excludes it."""
    found = fp.region(
        "flecs.theorem4", "alpha", "gamma", L=1, mu="1/10", mu1="1/2", mu2=1, omega=1, n=10, c=20, K=1
    )

    assert found.empty
    assert "c holds for no alpha, gamma" in found.headline()
    assert "c holds for no" in found.plot().texts[0].get_text().replace("\n", " ")


def test_every_letter_can_be_drawn() -> None:
    """What an axis calls each letter of each statement is understood by Matplotlib."""
    letters = {letter for key in papers() for st in statements(key) for letter in st.letters}
    parser = MathTextParser("path")

    assert len(letters) > 40
    for letter in letters:
        parser.parse(symbol_label(letter.name, letter.latex, letter.quantity))
