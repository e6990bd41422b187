"""Lemmas 10, 11 and 12 with (27), of one round t and one worker p; the squares they speak of have names."""

from fedproof.papers.flecs import assumptions as A
from fedproof.papers.flecs.proofs.lemma12 import EQ27, EQ28
from fedproof.papers.flecs.proofs.moments import AWAY, EQ14, OFF
from fedproof.papers.flecs.proofs.rounds import *
from fedproof.papers.flecs.proofs.shifts import NEXT_EACH, ROOM
from fedproof.papers.flecs.statements import lemmas as f_

by = step_writer("flecs", __name__)
t, p = (sp.Symbol(name, integer=True) for name in ("t", "p"))
start = grad(p, ws)


def named(relation: Any) -> ForEvery:
    """What a name of that round and worker stands for, or where they lie."""
    return ForEvery(relation, (), A.NAMES.id)


def at_round(term: Any) -> Any:
    """A sum over the workers in round t."""
    return term.xreplace({k: t})


with printed():
    PLACES = tuple(map(named, (0 <= t, t <= K - 1, 1 <= p, p <= n)))
    OFF2 = named(Eq(off2, n2(Hk(t, p) - start)))
    SAMPLE2 = named(Eq(sample2, n2(Gk(t, p) - start)))
    SENT2 = named(Eq(sent2, n2(Gk(t, p) - Hk(t, p))))
    AWAY2 = named(Eq(away2, n2(grad(p, W(t)) - start)))
    NOISE2 = named(Eq(noise2, noise(p)))
    MEAN_OFF = named(Eq(mean_off, at_round(OFF)))
    MEAN_AWAY = named(Eq(mean_away, at_round(AWAY)))
    KNOWN = tuple(said.known for said in PLACES)
    HERE = tuple(said.at() for said in PLACES)
    AFTER = n2(Hk(t + 1, p) - start)
    LEMMA12 = by.real("lemma12.end", "Lemma 12, eq. (28)")(
        AFTER <= f_.LEMMA12,
        n >= 1, KNOWN, HERE, DRAWN, SHIFT.known, OFF2.at(), SAMPLE2.at(), SENT2.at(),
        EQ28.at({k: t, i: p}),
    )  # fmt: skip
    MEAN = Ck(t, p, Hk(t + 1, p))
    MEAN_LEFT = n2(MEAN - (1 - gamma) * Hk(t, p) - gamma * Gk(t, p))
    LEMMA12_MEAN = by.real("lemma12.mean.end", "Lemma 12, eq. (27)")(
        MEAN_LEFT <= 0, n >= 1, KNOWN, HERE, DRAWN, SHIFT.known, EQ27.at({k: t, i: p})
    )
    LEMMA11 = by.real("lemma11.end", "Lemma 11, eq. (20)")(
        AFTER <= f_.LEMMA11,
        n >= 1, omega >= 0, gamma >= 0, ROOM, KNOWN, HERE, DRAWN, SHIFT.known, OFF2.at(), AWAY2.at(),
        NOISE2.at(), NEXT_EACH.at({k: t, i: p}),
    )  # fmt: skip
    SECOND = n2(GT(t))
    LEMMA10 = by.real("lemma10.end", "Lemma 10, eq. (14)")(
        SECOND <= f_.LEMMA10,
        n >= 1, omega >= 0, KNOWN, HERE, DRAWN, AVERAGE.known, MEAN_GRAD.known, SOLUTION.known,
        MEAN_NOISE.at(), MEAN_OFF.at(), MEAN_AWAY.at(),
        EQ14.at({k: t}),
    )  # fmt: skip

NAMED = (*PLACES, OFF2, SAMPLE2, SENT2, AWAY2, NOISE2, MEAN_OFF, MEAN_AWAY)
