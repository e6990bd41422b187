"""Steps that still rest on instances which the steps they use list, and not on the paper's formulas alone."""

_IDS = """
    algorithm2.alone algorithm2.mean algorithm2.stays algorithm2.vanishes algorithm2.weighed
    any.round any.round35 any.round36 descent.expected eq12.stationary eq17 eq17.coordinate
    eq17.squared eq17.zero eq2.local eq2.server eq3 eq34.exponential eq40 eq42 eq42.change eq43
    eq43.vectors eq44 eq44.effective eq45.repaired eq46.instance.potential eq46.repaired eq48 eq49
    eq50 eq50.vectors eq51.drift eq51.repaired eq7 eq7.exact exact.level.end exact.nonconvex.end
    exact.pl.end fedda.apart fedda.first fedda.settled potential.contracts.last
    potential.contracts.twelfth potential.contracts.usual potential.falls35 potential.fifteenths
    potential.one potential.sixteenth potential.twelfth prox_pl.box prox_pl.box.end
    prox_pl.box.entry prox_pl.box.grows prox_pl.global.least_squares prox_pl.global.logistic
    prox_pl.least_squares prox_pl.least_squares.end prox_pl.logistic.end stops.corrections
    stops.gradients stops.mean stops.server stops.stays stops.vanishes stops.weighed
    stops.zero.example subgradients.l1.end subgradients.linf.end subgradients.relu.end
    theorem3.6.before_last theorem3.6.degenerate theorem3.6.end theorem3.6.kept
    theorem3.6.rounds.end theorem3.8.drift.moved theorem3.8.end theorem3.8.round
    theorem3.8.round.named theorem3.8.round.printed update.second.repaired
"""
#: what is not brought down yet; their rows show each relation as carried
STEPS = frozenset(f"composite.{id}" for id in _IDS.split())
