"""What a round sends and costs, in bits per worker and in multiplications."""

from __future__ import annotations

from fedproof.bounds.prelude import *
from fedproof.papers.flecs.notation import *

KEY = "flecs"
WHERE = "Sec. 1, Contribution; Sec. 3, Communication complexity"
with printed():
    #: a number is a float of 32 bits where it is not compressed
    FLECS = bits * m * d + 32 * d + 32 * m**2
    FLECS_CGD = bits * m * d + bits * d + 32 * m**2
    PLAIN = 32 * m * d + 32 * d + 32 * m**2
    DOWN = 32 * d + 32 * m * d
    FLECS_1 = bits * d + 32 * d + 32
    FLECS_CGD_1 = bits * d + bits * d + 32
    COMPRESSED = Condition("c <= 32", bits <= 32, "Sec. 1, c << 32")
    #: matrix products, a factorisation of m x m or d x d as its cube
    WORKER = m * d**2 + m**2 * d
    UPDATE = n * (m**3 + m**2 * d + m * d**2 + d**2)
    TRUNCATED = UPDATE + d**3 + n * d**2 + d**2
    SONIA = UPDATE + m**3 + 3 * m**2 * d + 2 * m * d + n * m * d
    THIN = Condition("m <= d", m <= d, "Sec. 3, m << d")
    _SAVED = Identity(FLECS - FLECS_CGD, (32 - bits) * d)
    _LESS = Implies((), FLECS_CGD <= FLECS)
    _AT_ONE = (Order(FLECS_CGD_1, bits * d, d), Order(FLECS_1, 32 * d, d))
    _FACTOR = Implies((), FLECS_1 <= (bits + 32) / (2 * bits) * FLECS_CGD_1)
    _COSTS = (
        Implies((), WORKER <= 2 * m * d**2),
        Implies((), UPDATE <= 4 * n * m * d**2),
        Implies((), TRUNCATED <= 6 * (d**3 + n * m * d**2)),
        Implies((), SONIA <= 11 * n * m * d**2),
    )


def _sends(name: str, title: str, what: sp.Symbol, length: sp.Expr, where: str, note: str = "") -> Statement:
    return Statement(
        f"{KEY}.communication.{name}",
        title,
        Source(KEY, where),
        letters(bits, m, d),
        Identity(what, length),
        where=(Def(letter(what), length, where, report=True),),
        note=note or "By definition; the sketch is known on both sides by its seed, and costs nothing.",
    )


def _of_bits(name: str, title: str, claim: Claim, note: str = "") -> Statement:
    symbols = (bits, d) if "single" in name else (bits, m, d)
    return Statement(
        f"{KEY}.communication.{name}",
        title,
        Source(KEY, WHERE),
        letters(*symbols),
        claim,
        conditions=(COMPRESSED,),
        note=note,
    )


def _cost(name: str, title: str, claim: Claim, symbols: tuple[sp.Symbol, ...]) -> Statement:
    note = "Counted in multiplications, a factorisation as its cube; the constant is ours."
    where = Source(KEY, "Sec. 3, Step complexity")
    return Statement(
        f"{KEY}.cost.{name}", title, where, letters(*symbols), claim, conditions=(THIN,), note=note
    )


UP_FLECS = _sends("flecs", "FLECS: bits that a worker sends in a round", up, FLECS, WHERE)
UP_CGD = _sends("cgd", "FLECS-CGD: bits that a worker sends in a round", up, FLECS_CGD, WHERE)
UP_PLAIN = _sends("plain", "Neither compressed: bits that a worker sends in a round", up, PLAIN, WHERE)
DOWN_BOTH = _sends(
    "down", "Bits that the server sends to a worker in a round", down, DOWN, "Algorithm 1, line 17",
    "w and the sketched Hessian approximation, uncompressed; the text counts what workers send alone.",
)  # fmt: skip
LESS = _of_bits("reduced", "FLECS-CGD sends no more than FLECS", _LESS)
SAVED = _of_bits("saved", "What compressed gradients save: 32 - c bits an entry", _SAVED)
SINGLE_CGD = _of_bits("single.cgd", "With m = 1 FLECS-CGD sends O(c d)", _AT_ONE[0], "2 c d + 32 bits.")
SINGLE_FLECS = _of_bits("single.flecs", "With m = 1 FLECS sends O(32 d)", _AT_ONE[1], "(c + 32) d + 32 bits.")
SINGLE_FACTOR = _of_bits(
    "single.factor",
    "With m = 1 FLECS sends at most (c + 32)/(2 c) times as much",
    _FACTOR,
    "That is 5/2 at c = 8, where 32 d over c d would be 4: both methods send the sketch at c bits an entry.",
)
WORKER_COST = _cost("worker", "A worker's step costs O(m d^2)", _COSTS[0], (m, d))
UPDATE_COST = _cost("update", "Updating the Hessian approximations costs O(n m d^2)", _COSTS[1], (n, m, d))
TRUNCATED_COST = _cost(
    "truncated", "With Algorithm 4 the server's step costs O(d^3 + n m d^2)", _COSTS[2], (n, m, d)
)
SONIA_COST = _cost("sonia", "With FedSONIA the server's step costs O(n m d^2)", _COSTS[3], (n, m, d))
