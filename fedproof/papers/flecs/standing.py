"""What the proofs may go by: the assumptions as formulas for all points, those of the proofs themselves."""

from fedproof.papers.flecs.proofs import lemmas, rounds, theorem4, theorem5

FORMULAS = (*rounds.FORMULAS, theorem4.BEGINNING, *theorem5.ASSUMED, *lemmas.NAMED)
COUNTS = "n K t p"
