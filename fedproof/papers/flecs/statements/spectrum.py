"""Definition 7 and Lemma 9: the constants mu1 and mu2 that the truncation gives."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.flecs.notation import *

KEY = "flecs"
with printed():
    #: of an eigenvalue of the truncated inverse, Definition 7
    INVERSE = 1 / sp.Min(sp.Max(sp.Abs(eigenvalue), trunc_lo), trunc_hi)
    TRUNCATION = Condition("omega <= Omega", trunc_lo <= trunc_hi, "Definition 7")
    FLOOR = Def(letter(mu1), 1 / trunc_hi, "Lemma 9", report=True)
    CEILING = Def(letter(mu2), 1 / trunc_lo, "Lemma 9", report=True)
    _CLAIMS = {
        "floor": Implies((), mu1 <= INVERSE),
        "ceiling": Implies((), INVERSE <= mu2),
    }


def _lemma(name: str, title: str, where: Def) -> Statement:
    return Statement(
        f"{KEY}.lemma9.{name}",
        title,
        Source(KEY, "Definition 7; Lemma 9, eq. (10)"),
        letters(trunc_lo, trunc_hi, eigenvalue),
        _CLAIMS[name],
        where=(where,),
        conditions=(TRUNCATION,),
        note="Assumption 1 is not used. FedSONIA has the eigenvalue rho_k outside the sketch, which the text "
        "leaves free: with rho_k in [1/Omega, 1/omega], as in its experiments, nothing changes.",
    )


LEAST = _lemma("floor", "mu1 = 1/Omega bounds the truncated inverse's eigenvalues from below", FLOOR)
MOST = _lemma("ceiling", "mu2 = 1/omega bounds the truncated inverse's eigenvalues from above", CEILING)
