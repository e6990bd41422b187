"""What the proofs may go by: the assumptions as formulas for all points, those of the proofs themselves."""

from fedproof.papers.flecs.proofs import lemma8, lemmas, rounds, theorem4, theorem5

FORMULAS = (*rounds.FORMULAS, theorem4.BEGINNING, *theorem5.ASSUMED, *lemmas.NAMED, *lemma8.LISTED)
COUNTS = "n K t p"
