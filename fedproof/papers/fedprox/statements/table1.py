"""Table 1's rows of Theorems 1, 2 and 4 with constants, and how the text compares the rows' orders.

A row of another work is what its expression says and no more. Orders are taken as the accuracy goes to
zero, everything else fixed, so that a factor b or sqrt(I) between two rows is hidden in them.
"""

from __future__ import annotations

from dataclasses import replace

from fedproof.bounds.prelude import *
from fedproof.papers.fedprox.notation import *
from fedproof.papers.fedprox.statements import complexity as m
from fedproof.papers.fedprox.statements.explicit import EXPLICIT1, EXPLICIT2, EXPLICIT4
from fedproof.papers.fedprox.statements.printed import KEY
from fedproof.papers.fedprox.table1 import row

_REGIMES = "Sec. 1.2, below (4)"
with printed():
    FEW = Condition("T <= I^3", T <= I**3, _REGIMES)
    MANY = Condition("T >= I^3", T >= I**3, _REGIMES)


def _reaches(
    theorem: Statement,
    id: str,
    title: str,
    where: str,
    rounds: sp.Expr,
    *regime: Condition,
    proof: str = "",
) -> Statement:
    """So many rounds make a theorem's bound at most epsilon."""
    assert isinstance(theorem.claim, Bound)
    with printed():
        enough = Condition("T >= T_eps", T >= T_eps, "the theorem's bound, solved for T")
    return replace(
        theorem,
        id=f"{KEY}.{id}",
        title=title,
        source=Source(KEY, where),
        letters=(*theorem.letters, *letters(epsilon)),
        claim=Bound(theorem.claim.metric, epsilon),
        where=(*theorem.where, Def(letter(T_eps), rounds, where, report=True)),
        conditions=(*theorem.conditions, *regime, enough),
        uses=(theorem.id,),
        amends=None,
        proof=(proof or f"{KEY}.{id}",),
    )


TABLE1_THEOREM1 = _reaches(
    EXPLICIT1,
    "table1.theorem1",
    "Rounds to epsilon under Theorem 1: O(1/(I epsilon^2) + 1/epsilon^(3/2))",
    "Table 1, row of Theorem 1",
    m.ROUNDS1,
)
TABLE1_THEOREM2 = _reaches(
    EXPLICIT2,
    "table1.theorem2",
    "Rounds to epsilon under Theorem 2: O(1/epsilon^2)",
    "Table 1, row of Theorem 2",
    m.ROUNDS2,
)
TABLE1_THEOREM4 = _reaches(
    EXPLICIT4,
    "table1.theorem4",
    "Rounds to epsilon under Theorem 4: O(1/epsilon^2)",
    "Table 1, row of Theorem 4",
    m.ROUNDS2,
    proof=f"{KEY}.table1.theorem2",
)


def _regime(name: str, sign: str, rate: sp.Expr, regime: Condition) -> Statement:
    with printed():
        claim = Bound("drawn_squared_gradient", m.SIZE1 * rate)
    return replace(
        EXPLICIT1,
        id=f"{KEY}.section1.rate.{name}",
        title=f"Theorem 1 for T {sign} I^3",
        source=Source(KEY, _REGIMES),
        claim=claim,
        conditions=(*EXPLICIT1.conditions, regime),
        uses=(EXPLICIT1.id,),
        amends=None,
        proof=(f"{KEY}.section1.rate.{name}",),
    )


RATE_FEW = _regime("few", "<=", m.RATE_FEW, FEW)
RATE_MANY = _regime("many", ">=", m.RATE_MANY, MANY)
ROUNDS_FEW = _reaches(
    EXPLICIT1,
    "section1.rounds.few",
    "Rounds to epsilon under Theorem 1 for T <= I^3: O(1/epsilon^(3/2))",
    _REGIMES,
    m.ROUNDS_FEW,
    FEW,
)
ROUNDS_MANY = _reaches(
    EXPLICIT1,
    "section1.rounds.many",
    "Rounds to epsilon under Theorem 1 for T >= I^3: O(1/(I epsilon^2))",
    _REGIMES,
    m.ROUNDS_MANY,
    MANY,
)


def _order(name: str, title: str, where: str, left: str, right: str, note: str = "") -> Statement:
    """A row of the table is of the order of another as epsilon goes to zero."""
    claim = Order(row(left).complexity, row(right).complexity, epsilon, Integer(0))
    found = claim.left.free_symbols | claim.right.free_symbols
    named = letters(*(s for s in (I, M, b, epsilon) if s in found))
    return Statement(f"{KEY}.{name}", title, Source(KEY, where), named, claim, note=note)


_FIRST, _THIRD = 'Sec. 1.2, "First"', 'Sec. 1.2, "Third"'
SCAFFOLD = _order(
    "section1.scaffold",
    "Theorem 1's complexity is of the order of SCAFFOLD's",
    _FIRST,
    "theorem1",
    "scaffold",
    "The factor between them is b: SCAFFOLD's row has minibatches of b samples.",
)
FCO = _order(
    "section1.fco",
    "Theorem 1's complexity is of the order of FCO's",
    _FIRST,
    "theorem1",
    "fco",
    "The factor between them is bM/I. FCO's bound is for convex objectives.",
)
FEDAVG = _order(
    "section1.theorem3.fedavg",
    "The row of Theorem 3 is of the order of FedAvg's",
    _THIRD,
    "theorem3",
    "fedavg",
    "Of the printed rows; Theorem 3 itself fails where devices differ: fedprox.theorem3.",
)
SCAFFOLD3 = _order(
    "section1.theorem3.scaffold",
    "The row of Theorem 3 is of the order of SCAFFOLD's",
    _THIRD,
    "theorem3",
    "scaffold",
    "Of the printed rows; Theorem 3 itself fails where devices differ: fedprox.theorem3.",
)
FASTER = _order(
    "section1.faster",
    "STEM and FedPD need fewer rounds than Theorem 1",
    _THIRD,
    "stem",
    "theorem1",
    "The ratio goes to zero. These two are for full participation.",
)
KHANDURI = _order(
    "section1.khanduri",
    "FedAvg with full participation needs fewer rounds than Theorem 1",
    _THIRD,
    "khanduri",
    "theorem1",
    "The ratio goes to zero.",
)
SLOWER = _order(
    "section5.slower",
    "FedAvg needs no more rounds than the row of Theorem 3, up to a constant",
    "Sec. 5, Limitations",
    "fedavg",
    "theorem3",
    "Of the printed rows; for SCAFFOLD's row it holds as well.",
)
