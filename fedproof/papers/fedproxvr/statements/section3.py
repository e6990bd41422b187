"""Lemma 3, and what Sec. 3 says of heterogeneous L_n and lambda_n, as statements."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedproxvr.assumptions import (
    DISSIMILAR,
    HETEROGENEOUS,
    INEXACT,
    INEXACT_SQUARED,
    WEAKLY_CONVEX,
)
from fedproof.papers.fedproxvr.notation import *
from fedproof.papers.fedproxvr.statements import formulas as f
from fedproof.papers.fedproxvr.statements.printed import (
    GLOBAL,
    KEY,
    LEMMA1_SARAH,
    LEMMA1_SVRG,
    MT,
    STRONGLY_CONVEX,
    THEOREM1,
)

LEMMA3 = Statement(
    f"{KEY}.lemma3",
    "Lemma 3",
    Source(KEY, "Lemma 3, Appendix C"),
    letters(L, lam, sigma2, mu, theta),
    Bound("relative_movement", f.MOVEMENT),
    where=(MT,),
    conditions=(STRONGLY_CONVEX,),
    assumptions=(*GLOBAL, INEXACT_SQUARED.id),
    uses=(f"{KEY}.lemma1.sarah", f"{KEY}.lemma1.svrg"),
    note="(70) needs (11) in mean square, which is what the conditions in Lemma 1 give by (54).",
    proof=(f"{KEY}.lemma3.end",),
)

_WHERE = Source(KEY, "Sec. 3, below Assumption 1")


def _local(lemma1: Statement, variant: str) -> Statement:
    return replace(
        lemma1,
        id=f"{KEY}.section3.heterogeneous.lemma1.{variant}",
        title=f"Lemma 1 ({variant.upper()}) with the client's own L_n and lambda_n",
        source=_WHERE,
        note="L and lam are those of the client, its step size is 1/(beta L_n): Lemma 1 is about one client.",
        grants=(),
    )


LEMMA1_SARAH_OWN = _local(LEMMA1_SARAH, "sarah")
LEMMA1_SVRG_OWN = _local(LEMMA1_SVRG, "svrg")

HETEROGENEOUS_THEOREM1 = replace(
    THEOREM1,
    id=f"{KEY}.section3.heterogeneous.theorem1",
    title="Theorem 1 with the means of the clients' L_n and lambda_n",
    source=_WHERE,
    assumptions=(DISSIMILAR.id, HETEROGENEOUS.id, INEXACT.id, INEXACT_SQUARED.id),
    note="L and lam are the means of L_n and lambda_n with weights D_n/D. A client of small weight whose "
    "lambda_n is close to mu steps far out; the means hide it. True for the largest L_n and lambda_n. The "
    "instance satisfies (13), for SARAH; (14) does not admit it, and nothing is said of the means there.",
    proof=(),
    counterexample=(
        f"{KEY}.heterogeneous.step",
        f"{KEY}.heterogeneous.iterate",
        f"{KEY}.heterogeneous.lack",
        f"{KEY}.heterogeneous.metric",
        f"{KEY}.heterogeneous.below",
        f"{KEY}.heterogeneous.instance",
    ),
)

HETEROGENEOUS_REPAIRED = replace(
    THEOREM1,
    id=f"{KEY}.section3.heterogeneous.theorem1.repaired",
    title="Theorem 1 with other means of the clients' L_n and lambda_n",
    source=Source(KEY, "Sec. 3, below Assumption 1; the repaired form is not in the paper"),
    assumptions=(WEAKLY_CONVEX.id, DISSIMILAR.id, HETEROGENEOUS.id, INEXACT.id, INEXACT_SQUARED.id),
    amends=f"{KEY}.section3.heterogeneous.theorem1",
    note="L is the root mean square of the L_n, and lam is mu - m with 1/m^2 the mean of "
    "(1 + sigma_n^2)/(mu - lambda_n)^2 over 1 + sigma2; (4) is meant with lambda_n. Never worse than with "
    "the largest L_n and lambda_n.",
    proof=(f"{KEY}.heterogeneous.means.theorem1",),
)
