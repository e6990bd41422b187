"""Rounds that a target accuracy takes, under each theorem: what a user asks, not in the paper."""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.composite.notation import *
from fedproof.papers.composite.statements import formulas as f
from fedproof.papers.composite.statements import printed as plain
from fedproof.papers.composite.statements import sharpened as sharp
from fedproof.papers.composite.statements.printed import KEY

#: numbers that meet all conditions, of which engines do not see the power
_AT = dict.fromkeys(("L", "n", "tau", "b", "mu", "Omega1", "R", "eps_F"), "1") | {
    "sigma2": "0", "B_g": "0", "eta": "1/20", "eta_g": "2",
}  # fmt: skip


def _reaches(
    theorem: Statement, variant: str, target: sp.Symbol, metric: str, rounds: sp.Expr | None, amends: bool
) -> Statement:
    """The corollary of a theorem: where its bound is at most the target, so is what it bounds."""
    number = "3.5" if target == eps else "3.6"
    assert isinstance(theorem.claim, Bound)
    with printed():
        enough = Condition("accuracy", theorem.claim.expr <= target, f"the bound of {theorem.id}")
    known = (*theorem.letters, *letters(target))
    reported = () if rounds is None else (Def(letter(R_eps), rounds, "(accuracy) solved for R", report=True),)
    return replace(
        theorem,
        id=f"{KEY}.theorem{number}.rounds{variant}",
        title=f"Rounds to reach {target.name} under {theorem.id}",
        source=Source(KEY, f"Theorem {number}; this corollary is not in the paper"),
        letters=known,
        claim=Bound(metric, target),
        where=(*theorem.where, *reported),
        conditions=(*theorem.conditions, enough),
        uses=(theorem.id,),
        amends=f"{KEY}.theorem{number}.rounds" if amends else None,
        note="",
        proof=(f"{KEY}.theorem{number}.rounds{variant}.end",),
        witness=tuple((x.name, _AT[x.name]) for x in known) if target == eps_F else (),
    )


ROUNDS35 = _reaches(plain.THEOREM35, "", eps, "mean_squared_prox_gradient", f.ROUNDS35, False)
ROUNDS35_SHARP = _reaches(
    sharp.THEOREM35, ".sharpened", eps, "mean_squared_prox_gradient", f.SHARP_ROUNDS35, True
)
ROUNDS36 = _reaches(plain.THEOREM36, "", eps_F, "objective_gap", None, False)
ROUNDS36_REPAIRED = _reaches(sharp.THEOREM36_REPAIRED, ".repaired", eps_F, "objective_gap", None, True)
ROUNDS36_SHARP = _reaches(sharp.THEOREM36, ".sharpened", eps_F, "objective_gap", None, True)
