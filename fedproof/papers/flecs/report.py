"""What the report says of FLECS-CGD."""

from __future__ import annotations

from fedproof.vocabulary.faults import Fault

#: what the paper claims, in a sentence
CLAIMED = (
    "Second-order steps with compressed messages converge linearly up to the noise for strongly convex "
    "losses (Theorem 4), and to a stationary point for non-convex ones (5, Corollary 6)."
)
#: its distinct errors, each with all that it spoils
FAULTS = (
    Fault(
        "The step size may be too long: above (22) stands 5/2 where 3/4 is right",
        ("flecs.theorem4", "flecs.theorem4.fails", "flecs.eq22.stepsize", "flecs.eq22"),
    ),
    Fault(
        "A factor c L alpha^2/2 is lost in T, and with it the variance of the messages",
        (
            "flecs.theorem5",
            "flecs.corollary6",
            "flecs.theorem5.fails",
            "flecs.theorem5.fails.last",
            "flecs.corollary6.fails",
            "flecs.theorem5.T.factor",
        ),
    ),
    Fault(
        "Theorem 4's condition on c loses a factor c: nothing keeps the shifts' errors within the rate",
        ("flecs.theorem4.weight", "flecs.theorem4.shifts.fail"),
    ),
    Fault("T <= 0 needs gamma to be at least the lesser root of T", ("flecs.theorem5.T",)),
    Fault("Half of a term is lost above (22), which (26) needs", ("flecs.eq26",)),
    Fault("The last term of (5) and (30) has 2c for 2c gamma and lacks a factor alpha", ("flecs.eq5.noise",)),
    Fault("(13) has full gradients for sampled ones", ("flecs.eq13.spread",)),
    Fault("(15) has a full gradient for a sampled one", ("flecs.eq15.first",)),
    Fault("zeta = 0 makes gradients agree, and not the data", ("flecs.assumption5.alike",)),
)
