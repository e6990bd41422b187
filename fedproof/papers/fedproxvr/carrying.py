"""Steps that still rest on instances which the steps they use list, and not on the paper's formulas alone."""

_IDS = """
    corollary1.end eq11.one eq11.zero.model eq25 eq26
    eq26.monotone eq29 eq31 eq33 eq33.step eq33a eq33b eq33b.term eq35 eq40 eq42 eq44 eq44a eq46.sum
    eq49 eq49.least eq50 eq51 eq53 eq53.svrg eq54 eq54.sarah eq54.svrg eq56 eq56.repaired eq56a eq58
    eq58a eq62.direct eq62.linear eq69 eq70 eq70.outcome eq70a eq71 eq72 eq73 eq74 eq75
    eq76.repaired eq79 eq80 eq80.client eq80.expected eq83 eq83.root eq83a eq83b eq83c eq83d eq84
    eq84b eq85 eq87.end global_smooth global_smooth.client global_smooth.jensen
    heterogeneous.below heterogeneous.first
    heterogeneous.geometric.above heterogeneous.geometric.below heterogeneous.mean
    heterogeneous.means.eq79 heterogeneous.means.eq80 heterogeneous.means.eq83
    heterogeneous.means.eq87 heterogeneous.means.history heterogeneous.means.theorem1
    heterogeneous.means.eq83.named heterogeneous.means.expected heterogeneous.means.gradient
    heterogeneous.means.lemma3 heterogeneous.means.mean_reach heterogeneous.means.reach
    heterogeneous.means.rms heterogeneous.means.smooth heterogeneous.means.squares
    heterogeneous.metric heterogeneous.second heterogeneous.squared jensen.norm jensen.norm.product
    lemma3.start lemma3.start.gradient round_end round_end.bounded round_end.client
    round_end.expected round_end.far round_end.far.root round_end.inner round_end.left
    round_end.left.root round_end.outcome section3.b_from_5 section3.b_to_5 section3.b_to_5.sigma
    section3.stationary sharp.average sharp.averaged sharp.ball sharp.centred sharp.corollary1
    sharp.descent sharp.local sharp.reach sharp.round sharp.sarah.errors sharp.sarah.few
    sharp.sarah.lemma1 sharp.sarah.long.returned sharp.sarah.long.sum sharp.sarah.many
    sharp.sarah.returned sharp.sarah.sum sharp.sector sharp.shrink sharp.spread sharp.svrg.descent
    sharp.svrg.drifts sharp.svrg.long.returned sharp.svrg.long.sum sharp.svrg.moves
    sharp.svrg.returned sharp.svrg.step sharp.svrg.sum sharp.telescoped sharp.theorem1
    sharp.travelled telescope.history telescope.history.end telescope.repaired telescope.short
    theorem1.end
"""
#: what is not brought down yet; their rows show each relation as carried
STEPS = frozenset(f"fedproxvr.{id}" for id in _IDS.split())
