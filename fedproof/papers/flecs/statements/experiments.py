"""What Sec. 5 reports of its runs."""

from __future__ import annotations

from fedproof.bounds.prelude import *

KEY = "flecs"
_DATA = "regularised logistic regression on gisette-scale, real-sim and a9a"


def _reported(name: str, title: str, where: str, says: str, note: str = "") -> Statement:
    return Statement(
        f"{KEY}.section5.{name}", title, Source(KEY, where), (), Reported(says, _DATA), note=note
    )


COMPRESSION = _reported(
    "compression",
    "Compressing gradients improves FLECS in bits",
    "Sec. 5; Fig. 1, called Figure 5 in the text",
    "For the bits sent by a node FLECS-CGD comes nearer to the solution than FLECS",
)
MEMORY = _reported(
    "memory",
    "Both methods are best with m = 1",
    "Sec. 5, FLECS-CGD vs FLECS",
    "Of m = 1, 2, 4, 8 both methods show their best performance with m = 1",
)
OTHERS = _reported(
    "others",
    "FLECS outperforms FedNL, DIANA and ADIANA",
    "Sec. 5, last paragraph",
    "FLECS outperforms FedNL, DIANA and ADIANA, according to [2]",
    "Of another paper's runs; flecs.figure1 and flecs.figure2 run all of them here.",
)
