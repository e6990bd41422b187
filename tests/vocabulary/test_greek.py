"""Names with Greek letters, accents and raised digits, as people type them and as terminals show them."""

from __future__ import annotations

import pytest

import fedproof as fp
from fedproof.bounds.drawn_letters import drawer
from fedproof.papers.composite.notation import eta_t, letters, sigma2
from fedproof.vocabulary.errors import UnknownName

GIVEN = {"L": 1, "mu": 100, "beta": 50, "tau": 300}


@pytest.mark.parametrize("square", ["σ²", "σ2", "sigma²", "σ̄²"])
def test_a_name_may_be_typed_in_greek(square: str) -> None:
    """A letter, its square and its bar mean the letter that is typed in ASCII, in check and in range."""
    asked = fp.statement("fedproxvr.certified.sarah")

    typed = asked.check(**GIVEN, **{"λ": "1/10", square: "1/10"})

    assert typed.to_dict() == asked.check(**GIVEN, lam="1/10", sigma2="1/10").to_dict()
    assert asked.range("τ", L=1, lam=0, mu=20, beta=20).to_dict()["symbol"] == "tau"


def test_a_greek_name_that_means_nothing_is_refused_as_it_was_typed() -> None:
    """The message has the name as it stands on the line."""
    typed = {"η̃": 1}
    with pytest.raises(UnknownName, match="got η̃, expected one of L, n, tau"):
        fp.statement("composite.theorem3.5").check(**typed)


def test_terminals_show_squares_and_tildes_as_the_paper_prints_them() -> None:
    """sigma2 is a square and eta_t has a tilde: neither is an index."""
    draw = drawer(letters())

    assert (draw(sigma2), draw(eta_t)) == ("σ²", "η̃")
    shown = str(fp.statement("composite.theorem3.5").show().tables())
    assert "σ₂" not in shown
    assert "ηₜ" not in shown
