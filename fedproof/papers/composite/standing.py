"""What the proofs of composite FL may go by: functions, assumptions as formulas, what names mean.

A vector is a random one: <x, y> is E<x, y>, f(x) is E f(x). Clients, steps and rounds outside their ranges
are continued: other clients are copies of the first, other steps have no errors and stay at the model, rounds
before the first are copies of it (nothing but line 15 and (35), in their ranges, lead to the next round).
"""

from fedproof.papers.composite.carrying import STEPS

#: not every step is brought down to the formulas below yet
LISTS = STEPS
FUNCTIONS = {
    # f and f_i of (1), g, and their gradients; a subgradient of g at every point
    "Loss": "real(vector)",
    "DLoss": "vector(vector)",
    "loss_of": "real(whole,vector)",
    "dloss_of": "vector(whole,vector)",
    "Pen": "real(vector)",
    "DPen": "vector(vector)",
    # P_eta~ of a point and the subgradient at it by which it is one; the same with the step (t + 1) eta
    "Prox": "vector(vector)",
    "Sub": "vector(vector)",
    "LProx": "vector(whole,vector)",
    "LSub": "vector(whole,vector)",
    # by the round: the server's model, v^r; mean of the clients' sums of the round before
    "Model": "vector(whole)",
    "Direction": "vector(whole)",
    "MeanOld": "vector(whole)",
    # by round and client: what it added up in the round before, its correction
    "Old": "vector(whole,whole)",
    "Corr": "vector(whole,whole)",
    # by round, client and step: error of the mini-batch, its sum before the step, models before and after
    # the prox, the sum of the changes of the gradients, of the squared distances
    "Noise": "vector(whole,whole,whole)",
    "NoiseSum": "vector(whole,whole,whole)",
    "Pre": "vector(whole,whole,whole)",
    "Local": "vector(whole,whole,whole)",
    "ChangeSum": "vector(whole,whole,whole)",
    "DriftSum": "real(whole,whole,whole)",
    # by round and draw: error of the mini-batch, its sum before the draw, change of the gradient, model
    "Draw": "vector(whole,whole)",
    "DrawSum": "vector(whole,whole)",
    "Turn": "vector(whole,whole)",
    "At": "vector(whole,whole)",
    # stacked over the clients, in a space of its own: gradients at the next model, their mean, the sums of
    # the round's gradients, their mean
    "AllPlus": "vector(whole)",
    "AllMean": "vector(whole)",
    "AllOwn": "vector(whole)",
    "Everyone": "vector(whole)",
    # where the minimum in D_g(x, mu) is attained, and in D_g(x, L)
    "Least": "vector(vector)",
    "EntryL1": "real(whole)",
    "EntryRelu": "real(whole)",
    "EntryInf": "real(whole)",
    # by the round: a point between x* and the next model
    "Segment": "vector(whole)",
    "LeastL": "vector(vector)",
}
POINTS = "here solution there w between on_segment x xp z"
COUNTS = "n tau R K d"
#: and those that count in the proofs
WHOLE = "r t ell R1"
INDICES = {"round": "r R", "client": "i n", "t": "t ell tau"}
_STEPS = "r i: whole, t: 0..tau - 1"
#: formulas that are results of other texts
CITED = "composite.fact1.lower.client"
FORMULAS = (
    # Assumption 3.1: g: R^d -> R is convex, so it has a subgradient everywhere
    ("composite.assumption3.1.convex", "x y: vector", "Pen(x) + ip(DPen(x), y - x) <= Pen(y)"),
    # the proximal operator: P(w) = w - step h with h a subgradient at P(w)
    ("composite.definition.prox", "w: vector", "Prox(w) == w - eta_t*Sub(w)"),
    (
        "composite.definition.prox.subgradient",
        "w y: vector",
        "Pen(Prox(w)) + ip(Sub(w), y - Prox(w)) <= Pen(y)",
    ),
    (
        "composite.definition.prox.least",
        "w y: vector",
        "eta_t*Pen(Prox(w)) + n2(Prox(w) - w)/2 <= eta_t*Pen(y) + n2(y - w)/2",
    ),
    (
        "composite.definition.prox.local",
        "t: 0..tau - 1, w: vector",
        "LProx(t, w) == w - (t + 1)*eta*LSub(t, w)",
    ),
    (
        "composite.definition.prox.local.subgradient",
        "t: 0..tau - 1, w y: vector",
        "Pen(LProx(t, w)) + ip(LSub(t, w), y - LProx(t, w)) <= Pen(y)",
    ),
    # Assumption 3.1, second sentence
    ("composite.assumption3.1", "w: vector", "n2(Sub(w)) <= B_g**2"),
    ("composite.assumption3.1", "t: 0..tau - 1, w: vector", "n2(LSub(t, w)) <= B_g**2"),
    # Assumption 3.2
    (
        "composite.assumption3.2",
        "i: whole, x y: vector",
        "loss_of(i, y) <= loss_of(i, x) + ip(dloss_of(i, x), y - x) + L/2*n2(y - x)",
    ),
    (
        "composite.convention.lipschitz",
        "i: whole, x y: vector",
        "n2(dloss_of(i, x) - dloss_of(i, y)) <= L**2*n2(x - y)",
    ),
    # the lemma that is cited for it
    (
        "composite.fact1.lower.client",
        "i: whole, x y: vector",
        "loss_of(i, x) + ip(dloss_of(i, x), y - x) - L/2*n2(y - x) <= loss_of(i, y)",
    ),
    # (1)
    ("composite.definition.loss", "x: vector", "Loss(x) == 1/n*sum(loss_of(i, x), i, 1, n)"),
    ("composite.definition.loss.gradient", "x: vector", "DLoss(x) == 1/n*sum(dloss_of(i, x), i, 1, n)"),
    # Assumption 3.3(1), (10)
    ("composite.assumption3.3.1", "x: vector", "Fs <= Loss(x) + Pen(x)"),
    # Remark 3.7 and Theorem 3.8
    (
        "composite.remark3.7.strongly_convex",
        "x y: vector",
        "Loss(x) + ip(DLoss(x), y - x) + mu_sc/2*n2(y - x) <= Loss(y)",
    ),
    ("composite.definition.minimiser", "", "Fs == Loss(solution) + Pen(solution)"),
    # Assumption 3.4 and the draws of one client
    ("composite.assumption3.4.unbiased", "r i t: whole", "ip(Noise(r, i, t), NoiseSum(r, i, t)) == 0"),
    ("composite.assumption3.4.variance", "r i t: whole", "n2(Noise(r, i, t)) <= sigma2/b"),
    ("composite.definition.errors.first", "r i: whole", "NoiseSum(r, i, 0) == 0"),
    (
        "composite.definition.errors",
        "r i t: whole",
        "NoiseSum(r, i, t + 1) == NoiseSum(r, i, t) + Noise(r, i, t)",
    ),
    # sums over the local steps
    ("composite.definition.changes.first", "r i: whole", "ChangeSum(r, i, 0) == 0"),
    (
        "composite.definition.changes",
        "r i t: whole",
        "ChangeSum(r, i, t + 1) == ChangeSum(r, i, t) + dloss_of(i, Local(r, i, t)) - dloss_of(i, Model(r))",
    ),
    (
        "composite.definition.drift",
        "r i: whole, t: 0..tau + 1",
        "DriftSum(r, i, t) == sum(n2(Local(r, i, l) - Model(r)), l, 0, t - 1)",
    ),
    (
        "composite.definition.drift.all",
        "r: whole",
        "sum(DriftSum(r, i, tau), i, 1, n)"
        " == sum(sum(n2(Local(r, i, l) - Model(r)), l, 0, tau - 1), i, 1, n)",
    ),
    ("composite.definition.drift.first", "r i: whole", "DriftSum(r, i, 1) == 0"),
    ("composite.definition.drift.sign", "r i t: whole", "0 <= DriftSum(r, i, t)"),
    # Algorithm 1, lines 5 and 10, and what (6) makes of line 9
    ("composite.algorithm1.line5", "r i: whole", "Local(r, i, 0) == Model(r)"),
    (
        "composite.eq6",
        _STEPS,
        "Pre(r, i, t + 1) == Model(r) - eta*(ChangeSum(r, i, t + 1) + NoiseSum(r, i, t + 1)"
        " + (t + 1)*dloss_of(i, Model(r)) + (t + 1)*Corr(r, i))",
    ),
    ("composite.algorithm1.line10", _STEPS, "Local(r, i, t + 1) == LProx(t, Pre(r, i, t + 1))"),
    ("composite.eq2.correction", "r i: whole", "Corr(r, i) == 1/tau*MeanOld(r) - 1/tau*Old(r, i)"),
    # Assumption 3.4, and what is known when the round begins: Lambda_i^r, x~^{r+1}, x*
    (
        "composite.convention.past",
        "r i t: whole",
        "ip(NoiseSum(r, i, t), eta*(tau*dloss_of(i, Model(r)) + MeanOld(r) - Old(r, i))"
        " - eta*tau*DLoss(Model(r))) == 0",
    ),
    (
        "composite.convention.past",
        "r: whole",
        "ip(1/(n*tau)*DrawSum(r, n*tau + 1), Prox(Model(r) - eta_t*DLoss(Model(r))) - solution) == 0",
    ),
    # the draws of a round in a row, 1..n tau, step by step and at each step client by client
    ("composite.definition.draws.first", "r: whole", "DrawSum(r, 1) == 0"),
    ("composite.definition.draws.first", "r: whole", "DrawSum(r, 0) == 0"),
    ("composite.definition.draws.first", "r: whole", "Draw(r, 0) == 0"),
    ("composite.definition.draws", "r j: whole", "DrawSum(r, j + 1) == DrawSum(r, j) + Draw(r, j)"),
    # by independence of what different clients draw, and unbiasedness: one formula, granted by both
    ("composite.convention.independent", "r j: whole", "ip(Draw(r, j), DrawSum(r, j)) == 0"),
    ("composite.assumption3.4.unbiased", "r j: whole", "ip(Draw(r, j), DrawSum(r, j)) == 0"),
    ("composite.assumption3.4.variance", "r j: whole", "n2(Draw(r, j)) <= sigma2/b"),
    ("composite.convention.lipschitz", "r j: whole", "n2(Turn(r, j)) <= L**2*n2(At(r, j) - Model(r))"),
    (
        "composite.definition.draws.drift",
        "r: whole",
        "sum(n2(At(r, j) - Model(r)), j, 1, n*tau) == sum(DriftSum(r, i, tau), i, 1, n)",
    ),
    (
        "composite.eq3.direction",
        "r: whole",
        "Direction(r) == DLoss(Model(r)) + 1/(n*tau)*DrawSum(r, n*tau + 1)"
        " + 1/(n*tau)*sum(Turn(r, j), j, 1, n*tau)",
    ),
    # Assumption 3.3(2), at the point at which the least value is attained
    (
        "composite.assumption3.3.2",
        "x: vector",
        "mu*(Loss(x) + Pen(x) - Fs) <= -mu*(ip(DLoss(x), Least(x) - x) + mu/2*n2(Least(x) - x)"
        " + Pen(Least(x)) - Pen(x))",
    ),
    (
        "composite.assumption3.3.2.weak",
        "r: 1..R",
        "mu*(Loss(Model(r)) + Pen(Model(r)) - Fs) <= -L*(ip(DLoss(Model(r)), LeastL(Model(r)) - Model(r))"
        " + L/2*n2(LeastL(Model(r)) - Model(r)) + Pen(LeastL(Model(r))) - Pen(Model(r)))",
    ),
    # (35): the squares of stacked vectors are the sums of the clients' squares; what is left of the clients'
    # vectors without their mean is orthogonal to it
    (
        "composite.definition.stacked",
        "r: whole",
        "n2(tau*AllPlus(r) - AllOwn(r)) == sum(n2(tau*dloss_of(i, Prox(Model(r) - eta_t*Direction(r)))"
        " - tau*dloss_of(i, Model(r)) - ChangeSum(r, i, tau) - NoiseSum(r, i, tau)), i, 1, n)",
    ),
    (
        "composite.definition.stacked",
        "r: 1..R",
        "n2(eta*(tau*AllPlus(r) + Everyone(r) - AllOwn(r)) - eta*tau*AllMean(r))"
        " == sum(n2(eta*(tau*dloss_of(i, Prox(Model(r) - eta_t*Direction(r))) + MeanOld(r + 1)"
        " - Old(r + 1, i)) - eta*tau*DLoss(Prox(Model(r) - eta_t*Direction(r)))), i, 1, n)",
    ),
    (
        "composite.definition.stacked.mean",
        "r: whole",
        "ip(tau*AllPlus(r) - AllOwn(r) - (tau*AllMean(r) - Everyone(r)), tau*AllMean(r) - Everyone(r)) == 0",
    ),
    (
        "composite.definition.least",
        "x y: vector",
        "ip(DLoss(x), Least(x) - x) + mu/2*n2(Least(x) - x) + Pen(Least(x))"
        " <= ip(DLoss(x), y - x) + mu/2*n2(y - x) + Pen(y)",
    ),
    (
        "composite.definition.least.smooth",
        "x y: vector",
        "ip(DLoss(x), LeastL(x) - x) + L/2*n2(LeastL(x) - x) + Pen(LeastL(x))"
        " <= ip(DLoss(x), y - x) + L/2*n2(y - x) + Pen(y)",
    ),
    # Algorithm 1, line 2
    ("composite.algorithm1.line2", "", "eta_t == eta*eta_g*tau"),
    # a point of the segment from x* to the next model, near x*
    (
        "composite.definition.segment",
        "r: whole",
        "Segment(r) == solution"
        " + abs(_LACK)/(abs(_LACK) + mu_sc*n2(_NEXT - solution) + 1)*(_NEXT - solution)".replace(
            "_LACK", "mu_sc/2*n2(_NEXT - solution) - (Loss(_NEXT) + Pen(_NEXT) - Fs)"
        ).replace("_NEXT", "Prox(Model(r) - eta_t*Direction(r))"),
    ),
    # (3), which the steps below it prove of lines 14 and 15
    ("composite.eq3", "r: 1..R", "Model(r + 1) == Prox(Model(r) - eta_t*Direction(r))"),
    ("composite.convention.clients", "", "1 <= n"),
    # that the space is not one point, where mu_sc would say nothing of L
    ("composite.convention.points", "", "0 < n2(there - here)"),
    # which follows then: composite.theorem3.8.curvature
    ("composite.convention.curvature", "", "mu_sc <= L"),
    ("composite.convention.entries", "", "1 <= d"),
    # an exponent
    ("composite.convention.count", "", "0 <= ell"),
    # below Assumption 3.1: the entries of a subgradient of vartheta |x|_1, and of vartheta |x|_inf
    ("composite.definition.l1", "j: whole", "EntryL1(j)**2 <= vartheta**2"),
    ("composite.definition.relu", "j: whole", "EntryRelu(j)**2 <= vartheta**2"),
    ("composite.definition.linf", "j: whole", "EntryInf(j)**2 <= vartheta*abs(EntryInf(j))"),
    ("composite.definition.linf", "", "sum(abs(EntryInf(j)), j, 1, d) <= vartheta"),
    # the round that a step speaks of
    ("composite.convention.round", "", "1 <= round"),
    ("composite.convention.round", "", "round <= R"),
)
_LAM1 = (
    "1/n*sum(n2(eta*(tau*dloss_of(l, Model(1)) + MeanOld(1) - Old(1, l)) - eta*tau*DLoss(Model(1))), l, 1, n)"
)
MEANS: dict[str, str | tuple[str, ...]] = {
    "P": "Model(round)",
    "plus": "Prox(P - eta_t*v)",
    "v": "Direction(round)",
    "tilde": "Prox(P - eta_t*DLoss(P))",
    "grad": "DLoss(P)",
    "grad_i": "dloss_of(client, P)",
    "G": "DLoss(P) + Sub(P - eta_t*DLoss(P))",
    "G2": "n2(DLoss(P) + Sub(P - eta_t*DLoss(P)))",
    "h_tilde": "Sub(P - eta_t*DLoss(P))",
    "h_plus": "Sub(P - eta_t*v)",
    "g_P": "Pen(P)",
    "g0": "Pen(P)",
    "g_tilde": "Pen(tilde)",
    "g1": "Pen(plus)",
    "g_next": "Pen(plus)",
    "g_y": "Pen(y)",
    "g_w": "Pen(w)",
    "gs": "Pen(solution)",
    "f0": "Loss(P)",
    "f_P": "Loss(P)",
    "f1": "Loss(plus)",
    "f_next": "Loss(plus)",
    "ft": "Loss(tilde)",
    "f_tilde": "Loss(tilde)",
    "f_y": "Loss(y)",
    "fs": "Loss(solution)",
    "f_best": "Loss(solution)",
    "g_best": "Pen(solution)",
    "F0": "Loss(P) + Pen(P)",
    "F1": "Loss(plus) + Pen(plus)",
    "Ft": "Loss(tilde) + Pen(tilde)",
    "F_y": "Loss(y) + Pen(y)",
    "y": "Least(P)",
    "y_L": "LeastL(P)",
    "g_y_L": "Pen(y_L)",
    "g_b": "Pen(between)",
    "g_near": "Pen(on_segment)",
    "f_near": "Loss(on_segment)",
    "grad_near": "DLoss(on_segment)",
    "model": "ip(grad, tilde - P) + 1/(2*eta_t)*n2(tilde - P) + Pen(tilde) - Pen(P)",
    # by the round
    "F(k)": "Loss(Model(k)) + Pen(Model(k))",
    "G(k)": "n2(DLoss(Model(k)) + Sub(Model(k) - eta_t*DLoss(Model(k))))",
    "Lam(k)": (
        "1/n*sum(n2(eta*(tau*dloss_of(l, Model(k)) + MeanOld(k) - Old(k, l))"
        " - eta*tau*DLoss(Model(k))), l, 1, n)"
    ),
    # (10), Remark 3.7, and with another weight
    "Omega1": f"Loss(Model(1)) + Pen(Model(1)) - Fs + {_LAM1}/eta_t",
    "Omega1_sc": f"n2(Model(1) - solution) + {_LAM1}",
    "Omega1_hat": f"Loss(Model(1)) + Pen(Model(1)) - Fs + L**2*eta_t*({_LAM1})",
    "dist2(k)": "n2(Model(k) - solution)",
    "dist0": "n2(P - solution)",
    "dist1": "n2(plus - solution)",
    "apart2": "n2(plus - solution)",
    # v^r less grad f(P^r), the draws in a row
    "e(k)": "Draw(round, k)",
    "earlier(k)": "DrawSum(round, k)",
    "told(k)": "DrawSum(round, k)",
    "same(k)": "DrawSum(round, k) - DrawSum(round, k)",
    "so_far(k)": "DrawSum(round, k)",
    "d(k)": "Turn(round, k)",
    "zj(k)": "At(round, k)",
    "noise": "1/(n*tau)*DrawSum(round, n*tau + 1)",
    "change": "1/(n*tau)*sum(Turn(round, k), k, 1, n*tau)",
    "M(k)": "n2(DrawSum(round, k + 1))",
    "C(k)": "n2(Turn(round, k))",
    "Z(k)": "n2(At(round, k) - P)",
    "I(k)": "ip(Turn(round, k), change)",
    "err2": "n2(v - grad)",
    "change2": "n2(change)",
    "mean_noise2": "n2(noise)",
    "drift": "sum(DriftSum(round, k, tau), k, 1, n)",
    "told_tilde": "tilde - solution",
    "best": "solution",
    "omega": "P - eta_t*DLoss(P)",
    # smoothness of the clients' losses from P to another point
    "fxi(i)": "loss_of(i, P)",
    "fyi(i)": ("loss_of(i, plus)", "loss_of(i, tilde)", "loss_of(i, y)"),
    "alongi(i)": (
        "ip(dloss_of(i, P), plus - P)",
        "ip(dloss_of(i, P), tilde - P)",
        "ip(dloss_of(i, P), y - P)",
    ),
    # one local step of one client
    "pgd": "LProx(t, P - (t + 1)*eta*DLoss(P))",
    "h_pgd": "LSub(t, P - (t + 1)*eta*DLoss(P))",
    "g_pgd": "Pen(pgd)",
    "G_pgd": "grad + h_pgd",
    "zh": "Pre(round, client, t + 1)",
    "z": "Local(round, client, t + 1)",
    "h_z": "LSub(t, zh)",
    "g_z": "Pen(z)",
    "sampled": "full + NoiseSum(round, client, t + 1)",
    "full": "(t + 1)*grad_i + ChangeSum(round, client, t + 1)",
    "c": "Corr(round, client)",
    "mean_old": "MeanOld(round)",
    "own_old": "Old(round, client)",
    "lam": "eta*(tau*grad_i + mean_old - own_old)",
    "mean_lam": "eta*(tau*grad)",
    "lam2": "n2(eta*(tau*grad_i + mean_old - own_old) - mean_lam)",
    "lam(i)": "n2(eta*(tau*dloss_of(i, P) + mean_old - Old(round, i)) - mean_lam)",
    "told_lam": "eta*(tau*grad_i + mean_old - own_old) - mean_lam",
    "near": "n2(z - pgd)",
    "shift": "n2(pgd - P)",
    "noise2": "n2(sampled - full)",
    "away2": "n2(full - (t + 1)*grad_i)",
    "part": "n2(eta*(sampled - (t + 1)*grad_i))",
    "turned": "n2((t + 1)/tau*(eta*(tau*grad_i + mean_old - own_old)) - (t + 1)/tau*mean_lam)",
    "ended": "DriftSum(round, client, tau)",
    # (33), printed and sharpened
    "A": (
        "16*tau**2*eta**2*B_g**2 + 4*tau**2*eta**2*G2 + 4*lam2 + 8*tau*eta**2*(sigma2/b)",
        "2*eta_t**2*G2 + 4*lam2 + 8*tau*eta**2*(sigma2/b)",
    ),
    # the corrections at the beginning of a round and at its end, stacked and by the client
    "LamSq": "sum(n2(eta*(tau*dloss_of(k, P) + mean_old - Old(round, k)) - mean_lam), k, 1, n)",
    "Lam2": "1/n*LamSq",
    "spread": (
        "1/n*sum(n2(eta*(tau*dloss_of(k, plus) + MeanOld(round + 1) - Old(round + 1, k))"
        " - eta*tau*DLoss(plus)), k, 1, n)"
    ),
    "stacked": "n*spread",
    "less": "n2(tau*all_plus - all_own - tau*all_mean + everyone)",
    "all_plus": "AllPlus(round)",
    "all_mean": "AllMean(round)",
    "all_own": "AllOwn(round)",
    "everyone": "Everyone(round)",
    "lam_next": "eta*(tau*all_plus + everyone - all_own)",
    "mean_lam_next": "eta*(tau*all_mean)",
    "grad_plus": "dloss_of(client, plus)",
    "own:vector": "full_round + NoiseSum(round, client, tau)",
    "full_round": "tau*grad_i + ChangeSum(round, client, tau)",
    "Y(i)": (
        "n2(tau*dloss_of(i, plus) - tau*dloss_of(i, P) - ChangeSum(round, i, tau) - NoiseSum(round, i, tau))",
    ),
    "apart": "n2(tau*grad_plus - tau*grad_i - ChangeSum(round, client, tau) - NoiseSum(round, client, tau))",
    # sums of one client's errors and changes
    "error": "Noise(round, client, t)",
    "errors": "NoiseSum(round, client, t)",
    "told_errors": "errors",
    "move": "dloss_of(client, Local(round, client, t)) - dloss_of(client, P)",
    "moved": "ChangeSum(round, client, t)",
    "moved:real": "n2(plus - P)",
    "pgd2": "n2(tilde - P)",
    "D(s)": "n2(Local(round, client, s) - P)",
    "V(s)": "n2(Noise(round, client, s))",
    "A2(s)": "n2(dloss_of(client, Local(round, client, s)) - dloss_of(client, P))",
    "M2(s)": "n2(NoiseSum(round, client, s + 1))",
    "X(s)": "n2(ChangeSum(round, client, s + 1))",
    "S(s)": "DriftSum(round, client, s + 1)",
    "S_end(i)": "DriftSum(round, i, tau)",
}
#: steps whose names are their own: any points, other meanings, powers
_FACT1: dict[str, str | tuple[str, ...]] = {
    "fxi(i)": "loss_of(i, x)",
    "fyi(i)": "loss_of(i, xp)",
    "fzi(i)": "loss_of(i, z)",
    "alongi(i)": "ip(dloss_of(i, x), xp - x)",
    "alongzi(i)": "ip(dloss_of(i, x), z - x)",
    "gfi_(i)": "dloss_of(i, x)",
    "gf": "DLoss(x)",
    "f0": "Loss(x)",
    "fp": "Loss(xp)",
    "fz": "Loss(z)",
    "gp": "Pen(xp)",
    "gz": "Pen(z)",
}
#: with the base turned over, as 1/b is defined for every whole k, b^k only where b is not 0
_POWERS: dict[str, str | tuple[str, ...]] = {
    "power_(k)": "(1/(1 + 1/(8*tau)))**(-k)",
    "power": "(1/(1 + 1/(8*tau)))**(-ell)",
    "inverse_(k)": "(1 + 1/(8*tau))**(-k)",
    "inverse": "(1 + 1/(8*tau))**(-ell)",
    "exponential_(k)": "(1/root)**(-k)",
    "exponential": "(1/root)**(-ell)",
    "W(k)": "(1/(1 + 1/(8*tau)))**(-k)",
    "Wi(k)": "(1 + 1/(8*tau))**(-k)",
    "P2_(k)": "(1/(1 - mu*eta_t/2))**(-k)",
    "P3_(k)": "(1/(1 - mu*eta_t/3))**(-k)",
    "P2": "(1/(1 - mu*eta_t/2))**(-k)",
    "P3": "(1/(1 - mu*eta_t/3))**(-k)",
}
_SEGMENT: dict[str, str | tuple[str, ...]] = {
    "on_segment": ("P + L*eta_t*(y_L - P)", "P + mu*eta_t*(y - P)"),
    "g_near": ("Pen(P + L*eta_t*(y_L - P))", "Pen(P + mu*eta_t*(y - P))"),
}
_NEAR: dict[str, str | tuple[str, ...]] = {
    "on_segment": "Segment(round)",
    "g_near": "Pen(Segment(round))",
    "f_near": "Loss(Segment(round))",
    "grad_near": "DLoss(Segment(round))",
}
#: two points of the space, by which mu_sc <= L
_TWO_POINTS: dict[str, str | tuple[str, ...]] = {
    "fx": "Loss(here)",
    "fy": "Loss(there)",
    "along": "ip(DLoss(here), there - here)",
    "far2": "n2(there - here)",
    "herei(i)": "loss_of(i, here)",
    "therei(i)": "loss_of(i, there)",
    "aparti(i)": "ip(dloss_of(i, here), there - here)",
    "floor": "(21/5 + 3/5*(n/eta_g**2))*sigma2/(n*tau*b)",
}
_APART = "eq2 eq3. eq6 eq7 eq14 eq15 eq16 eq17 eq10 update correction stops algorithm2 stationary fedda"


def _falling(rate: str, kept: str) -> dict[str, str | tuple[str, ...]]:
    """The weights of the rounds, powers of 1 - rate."""
    return {"p(k)": f"(1 - {rate})**(R - k)", kept: f"(1 - {rate})**R"}


#: Theorem 3.6: the powers with which rounds are weighted
_ROUNDS: dict[str, str | tuple[str, ...]] = {
    "half(k)": "(1/(1 - mu*eta_t/2))**(-(R - 1 - k))",
    "half1": "(1/(1 - mu*eta_t/2))**(-(R - 1))",
    "third1": "(1/(1 - mu*eta_t/3))**(-(R - 1))",
    "P2_(k)": "(1/(1 - mu*eta_t/2))**(-k)",
    "P3_(k)": "(1/(1 - mu*eta_t/3))**(-k)",
    "kept": "(1/(1 - mu*eta_t/3))**(-R)",
    "Om(k)": "Loss(Model(k)) + Pen(Model(k)) - Fs"
    " + 1/eta_t*(1/n*sum(n2(eta*(tau*dloss_of(l, Model(k)) + MeanOld(k) - Old(k, l))"
    " - eta*tau*DLoss(Model(k))), l, 1, n))",
}
#: the theorem as printed, and its proof mended: Assumption 3.3(2) with mu
_PRINTED36: dict[str, str | tuple[str, ...]] = _ROUNDS | {name: two[1] for name, two in _SEGMENT.items()}
_LIMIT: dict[str, str | tuple[str, ...]] = {
    "inner": "ip(P - eta_t*DLoss(P) - tilde, w - tilde)",
    "far2": "n2(w - tilde)",
}
OTHERWISE: dict[str, dict[str, str | tuple[str, ...]]] = {
    "composite.fact1": _FACT1,
    "composite.eq34.exponential": _POWERS,
    "composite.eq34.positive": _POWERS,
    "composite.eq34.inverse": _POWERS,
    "composite.eq34.terms": _POWERS,
    "composite.theorem3.6.powers": _POWERS,
    "composite.eq34.sum": _POWERS,
    "composite.fact1.lower": _FACT1
    | {
        "fx": "Loss(x)",
        "fy": "Loss(z)",
        "along": "ip(DLoss(x), z - x)",
        "far2": "n2(z - x)",
        "fzi(i)": "loss_of(i, z)",
    },
    "composite.eq38": MEANS
    | {
        "h": "Sub(P - eta_t*DLoss(P))",
        "fyi(i)": "loss_of(i, tilde)",
        "alongi(i)": "ip(dloss_of(i, P), tilde - P)",
        "fzi(i)": "loss_of(i, P)",
        "gfi_(i)": "dloss_of(i, P)",
        "alongzi(i)": "ip(dloss_of(i, P), P - P)",
    },
    "composite.eq39": MEANS
    | {
        "h": "Sub(P - eta_t*v)",
        "fyi(i)": "loss_of(i, plus)",
        "alongi(i)": "ip(dloss_of(i, P), plus - P)",
        "fzi(i)": "loss_of(i, tilde)",
        "gfi_(i)": "dloss_of(i, P)",
        "alongzi(i)": "ip(dloss_of(i, P), tilde - P)",
    },
    "composite.potential.contracts": MEANS | _SEGMENT,
    "composite.theorem3.6": MEANS | _SEGMENT | _ROUNDS | _falling("9/10*mu*eta_t", "kept_sharp"),
    **{
        f"composite.theorem3.6{form}": MEANS | _PRINTED36
        for form in (".end", ".repaired", ".rounds.end", ".rounds.repaired")
    },
    "composite.exact": MEANS | _SEGMENT | _falling("9/10*mu*eta_t", "kept_sharp"),
    "composite.any": MEANS
    | _SEGMENT
    | _falling("19/20*mu*eta_t", "kept_any")
    | {"floor": "sigma2/(b*n*tau)*(523/100*n*(L*eta_t/eta_g)**2 + 1)"},
    "composite.theorem3.8": MEANS | _NEAR | _TWO_POINTS | _falling("mu_sc*eta_t", "kept_sc_sharp"),
    "composite.theorem3.8.end": MEANS
    | _NEAR
    | _TWO_POINTS
    | {"third(k)": "(1 - mu_sc*eta_t/3)**(R - k)", "kept_sc": "(1 - mu_sc*eta_t/3)**R"},
    "composite.distance.end": MEANS | _SEGMENT | _falling("9/10*mu*eta_t", "kept_sharp"),
    "composite.distance": MEANS | _NEAR | _falling("9/10*mu*eta_t", "kept_sharp"),
    "composite.subgradients.l1": {
        "longest": "sum(EntryL1(k)**2, k, 1, d)**(1/2)",
        "square(k)": "EntryL1(k)**2",
        "squares": "sum(EntryL1(k)**2, k, 1, d)",
    },
    "composite.subgradients.relu": {
        "longest": "sum(EntryRelu(k)**2, k, 1, d)**(1/2)",
        "square(k)": "EntryRelu(k)**2",
        "squares": "sum(EntryRelu(k)**2, k, 1, d)",
    },
    "composite.subgradients.linf": {
        "longest": "sum(EntryInf(k)**2, k, 1, d)**(1/2)",
        "square(k)": "EntryInf(k)**2",
        "size(k)": "abs(EntryInf(k))",
        "squares": "sum(EntryInf(k)**2, k, 1, d)",
    },
    "composite.prox_pl.weaker": MEANS
    | {
        "on_segment": "P + mu/L*(y - P)",
        "g_near": "Pen(P + mu/L*(y - P))",
        "u": "LeastL(P)",
        "g_u": "Pen(LeastL(P))",
        "defect_L": "mu*(F0 - Fs) + L*(ip(grad, u - P) + L/2*n2(u - P) + g_u - g_P)",
    },
    "composite.prox_pl.model.weak": MEANS | {name: two[0] for name, two in _SEGMENT.items()},
    "composite.prox_pl.strongly_convex": MEANS
    | {"defect": "mu*(F0 - Fs) + mu*(ip(grad, y - P) + mu/2*n2(y - P) + g_y - g_P)"},
    "composite.theorem3.6.stronger": MEANS | {"gap": "F0 - Fs"},
    "composite.eq19": MEANS | _LIMIT,
    "composite.eq19.limit": MEANS
    | _LIMIT
    | {
        "between": "tilde + abs(inner - eta_t*(g_w - g_tilde))"
        "/(abs(inner - eta_t*(g_w - g_tilde)) + far2 + 1)*(w - tilde)",
        "g_b": "Pen(between)",
    },
    # in one coordinate, at a stationary point, instances: names of their own
    **{f"composite.{id}": {} for id in _APART.split()},
    **{f"composite.eq{k}": MEANS for k in range(20, 30)},
}
