"""A caption follows its table: plant another table and the sentences change."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fedproof.figures.caption import NOT_APPLICABLE, NOT_SEEN, SEEN, Caption, Claim
from fedproof.figures.trends import trend
from fedproof.papers.fedproxvr.figures import figure1, region, sharpened


@pytest.fixture(scope="module")
def optima() -> pd.DataFrame:
    """Fig. 1 at its toy size."""
    return figure1.compute({**figure1.SPEC.size, **figure1.SPEC.toy})


@pytest.fixture(scope="module")
def area() -> pd.DataFrame:
    """The map at its toy size."""
    return region.compute({**region.SPEC.size, **region.SPEC.toy})


@pytest.fixture(scope="module")
def forms() -> pd.DataFrame:
    """Printed and sharpened optima at their toy size."""
    return sharpened.compute({**sharpened.SPEC.size, **sharpened.SPEC.toy})


def claim(caption: Caption, part: str) -> Claim:
    """The claim with these words."""
    return next(one for one in caption.claims if part in one.claim)


def test_figure1_checks_every_statement_of_its_discussion(optima: pd.DataFrame) -> None:
    """Each `observed` statement of the paper about the optimum is one claim, in the direction stated."""
    found = dict(figure1.trends(optima))

    assert len(found) == 8
    assert found["fedproxvr.discussion1.beta.gamma"].rising is False
    assert found["fedproxvr.discussion1.mu.sigma2"].rising is True
    assert figure1.caption(optima).agreement == "Of 8 claims 8 are seen."


def test_figure1_counts_the_steps_of_one_curve(optima: pd.DataFrame) -> None:
    """Two curves of three points have two steps each, not four."""
    assert claim(figure1.caption(optima), "β* falls").measured == "None against it (2 curves, 2 steps each)."
    uneven = claim(figure1.caption(optima[1:]), "β* falls").measured
    assert uneven == "None against it (2 curves, 3 steps in all)."


def test_figure1_says_for_which_ranges(optima: pd.DataFrame) -> None:
    """What is seen is said of the table's own ranges, and follows them."""
    wider = optima.assign(gamma=10 * optima.gamma, sigma2=3 * optima.sigma2)

    assert "γ takes 3 values from 0.001 to 0.1" in figure1.caption(optima).substituted
    assert "γ takes 3 values from 0.01 to 1" in figure1.caption(wider).substituted
    assert "σ̄² is 0 and 3: of these alone" in figure1.caption(wider).substituted


@pytest.mark.parametrize(("column", "letter"), [("beta", "β*"), ("mu", "μ*"), ("theta", "θ*"), ("tau", "τ*")])
def test_figure1_notices_a_curve_turned_over(optima: pd.DataFrame, column: str, letter: str) -> None:
    """A column that moves the other way is named in the caption, with how many steps contradict."""
    flipped = optima.assign(**{column: 1 / optima[column]})
    said = next(
        c for c in figure1.caption(flipped).claims if c.claim.startswith(letter) and "as γ" in c.claim
    )

    assert said.word == NOT_SEEN
    assert "of 4 steps go the other way, on 2 of 2 curves" in said.measured


def test_figure1_counts_what_is_not_certified(optima: pd.DataFrame) -> None:
    """A point without a certificate lowers the count in the caption."""
    doubtful = optima.assign(certified=[False, *optima.certified[1:]])

    assert "6 of 6 optima are certified" in figure1.caption(optima).substituted
    assert "5 of 6 optima are certified" in figure1.caption(doubtful).substituted


def test_a_level_curve_does_not_contradict() -> None:
    """A step smaller than an optimum's own uncertainty counts neither way."""
    rows = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [1.0, 1.0 - 1e-9, 2.0], "g": 0})

    assert trend(rows, "y", "x", "g", rising=True).against == 0
    assert trend(rows.assign(y=[1.0, 0.999, 2.0]), "y", "x", "g", rising=True).against == 1


def test_nothing_to_compare_is_not_seen() -> None:
    """A table with one point on each curve supports no claim."""
    rows = pd.DataFrame({"x": [1.0, 1.0], "y": [1.0, 2.0], "g": [0, 1]})
    found = trend(rows, "y", "x", "g", rising=True)

    assert not found.seen
    assert (found.word, found.measured) == (NOT_APPLICABLE, "Nothing to compare.")


def test_region_agrees_with_the_formulas_by_another_route(area: pd.DataFrame) -> None:
    """The grid's Theta and objective equal the paper's formulas typed a second time, in plain NumPy."""
    g = area[area.kind == "grid"]
    mt = g.mu - g.lam
    theta2 = 24 * (g.beta**2 * g.L**2 + g.mu**2) / (mt * g.L * (5 * g.beta**2 - 4 * g.beta) * (g.beta - 3))
    theta, s = np.sqrt(theta2), 1 + g.sigma2
    factor = (
        1
        - theta * np.sqrt(2 * s)
        - 2 * g.L / mt * np.sqrt((1 + theta2) * s)
        - 2 * g.L * g.mu / mt**2 * (1 + theta2) * s
    ) / g.mu
    objective = (1 + g.gamma * (5 * g.beta**2 - 4 * g.beta) / 8) / factor

    np.testing.assert_allclose(g.Theta, factor, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(g.objective, objective, rtol=1e-6)
    assert (g.admissible == (factor > 0)).all()


def test_region_notices_a_point_below_the_bound(area: pd.DataFrame) -> None:
    """A grid point cheaper than the proven bound takes the confirmation out of the caption."""
    cheaper = area.copy()
    cheaper.loc[cheaper[(cheaper.kind == "grid") & cheaper.admissible].index[0], "objective"] = 1.0

    assert claim(region.caption(area), "global optimum").word == SEEN
    assert claim(region.caption(cheaper), "global optimum").word == NOT_SEEN
    assert "a grid point lies below its lower bound" in str(region.caption(cheaper))


def test_region_claims_a_proof_only_with_its_certificate(area: pd.DataFrame) -> None:
    """A positive lower bound without the certificate, or none at all, proves no global optimum."""
    doubtful = area.assign(certified=False)
    unbounded = doubtful.assign(lower_bound=0.0)

    assert area.certified.sum() == 1
    assert "certified up to a relative gap of" in str(region.caption(area))
    for table, words in ((doubtful, "not certified"), (unbounded, "without a proven lower bound")):
        found = claim(region.caption(table), "global optimum")
        assert (found.word, words in found.measured) == (NOT_SEEN, True)


def test_region_notices_a_point_below_the_optimum(area: pd.DataFrame) -> None:
    """A grid point between the lower bound and the value found is said to lie below it."""
    best = area.kind == "optimum"
    dear = area.assign(objective=area.objective.where(~best, 2 * area.objective[best].iloc[0]))

    assert "; no grid point lies below it" in str(region.caption(area))
    assert "; a grid point lies below it" in str(region.caption(dear))
    assert claim(region.caption(dear), "global optimum").word == NOT_SEEN


def test_region_notices_a_convex_shape(area: pd.DataFrame) -> None:
    """Without a middle dearer than both ends, non-convexity is not claimed."""
    flat = area.assign(objective=area.objective.where(area.kind != "middle", 1.0))

    assert claim(region.caption(area), "non-convex").word == SEEN
    assert claim(region.caption(flat), "non-convex").word == NOT_SEEN


def test_figure1_at_its_full_size_is_certified_throughout() -> None:
    """Every point of the default figure has its proof, and all eight statements about it are seen."""
    table = figure1.compute(figure1.SPEC.size)

    assert len(table) == 1200
    assert table.certified.all()
    assert all(found.seen for _, found in figure1.trends(table))


def test_sharpened_follows_the_table(forms: pd.DataFrame) -> None:
    """The ratios in the caption are those of the table, and so is the point of the greatest."""
    ours = forms.form == "sharpened"
    halved = forms.assign(objective=forms.objective.where(~ours, forms.objective / 2))
    first, second = (sharpened.gains(t) for t in (forms, halved))
    sarah = first[first.estimator == "sarah"]
    span = f"{sarah.ratio.min():.3g} to {sarah.ratio.max():.3g}"
    said = f"With SARAH the least objective is {span} times smaller than printed, most at γ = 0.1 and σ̄² = 1:"

    np.testing.assert_allclose(second.ratio, 2 * first.ratio)
    assert said in str(sharpened.caption(forms))
    assert f"is {2 * sarah.ratio.min():.3g} to" in str(sharpened.caption(halved))


def test_sharpened_pairs_the_same_points(forms: pd.DataFrame) -> None:
    """Rows in another order give the same ratios: each is taken at one point of one estimator."""
    mixed = forms.sample(frac=1, random_state=1)
    keys = ["estimator", "sigma2", "gamma"]
    one, two = (sharpened.gains(t).sort_values(keys).ratio.to_numpy() for t in (forms, mixed))
    at = forms.set_index([*keys, "form"]).objective

    np.testing.assert_array_equal(one, two)
    assert one[0] == pytest.approx(at["sarah", 0.0, 1e-3, "printed"] / at["sarah", 0.0, 1e-3, "sharpened"])
    assert one[0] == pytest.approx(39.127 / 7.0946, rel=1e-4)


def test_sharpened_claims_only_what_is_proven(forms: pd.DataFrame) -> None:
    """An optimum above the proven bound on the printed one takes that point out of the agreement."""
    ours = forms.index[forms.form == "sharpened"][0]
    worse = forms.copy()
    worse.loc[ours, "objective"] = 1e9
    unproven = forms.assign(lower_bound=0.0)

    for table, points, word in ((forms, 12, SEEN), (worse, 11, NOT_SEEN), (unproven, 0, NOT_SEEN)):
        (found,) = sharpened.caption(table).claims
        assert found.measured.startswith(f"At {points} of 12 points")
        assert (found.word, found.ours) == (word, True)


def test_sharpened_counts_what_is_not_certified(forms: pd.DataFrame) -> None:
    """A point without a certificate lowers the count in the caption."""
    doubtful = forms.assign(certified=[False, *forms.certified[1:]])

    assert "36 of 36 optima are certified" in str(sharpened.caption(forms))
    assert "35 of 36 optima are certified" in str(sharpened.caption(doubtful))


def test_sharpened_at_its_full_size_is_certified_throughout() -> None:
    """Every optimum of the default figure has its proof, and each sharpened one is far below the printed."""
    table = sharpened.compute(sharpened.SPEC.size)
    side = sharpened.gains(table)

    assert len(table) == 3 * len(side) == 2178
    assert table.certified.all()
    assert (side.sure > 5).all()
    assert (side.fair > 5).all()
