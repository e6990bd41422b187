"""What the proofs may go by: the assumptions of all four theorems as formulas for all points.

A vector is a random one: <x, y> is E<x, y>, f(x) is E f(x). The formulas are the hypotheses of the proofs.
"""

from fedproof.papers.fedprox.proofs import distinct, full_participation, rounds, theorem1, theorem2, theorem3

FORMULAS = (
    rounds.LIPSCHITZ, rounds.LIPSCHITZ_R, rounds.AVERAGE, rounds.UNBIASED, rounds.KNOWN,
    theorem1.SMOOTH, theorem1.CHANGE, theorem1.SMOOTH_R, theorem1.ORACLE, theorem1.SYMMETRIC,
    theorem1.LINEAR, theorem1.FREE_G, theorem1.FREE_DBAR, theorem1.OTHERS, theorem1.MEAN_D, theorem1.MEAN_G,
    theorem1.MEAN_X,
    theorem1.START,
    theorem3.BATCH, theorem3.SHORT, theorem3.PICKED, theorem3.PICK_SYMMETRIC, theorem3.PICK_DEVICE,
    theorem3.PICK_OTHER, theorem3.PICK_RISK, theorem3.DIFFER, theorem3.EARLIER,
    theorem2.CHORDS, theorem2.CHORD_R, theorem2.LOCAL, theorem2.NEAREST_R, theorem2.VALUE, theorem2.LEAST,
    theorem2.KNOWN_BEST, theorem2.GRADIENT, theorem2.START,
    full_participation.EVERYONE, full_participation.ALIKE,
    distinct.SYMMETRIC, distinct.HELD, distinct.HELD_MEAN, distinct.OF_THE_REST,
    distinct.PICK_BEFORE, distinct.PICK_DEVICES, distinct.HELD_FIRST, distinct.HELD_RISK,
    distinct.DEVICE_LEFT,
)  # fmt: skip
COUNTS = "T I b M"
