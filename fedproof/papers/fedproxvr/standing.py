"""What the proofs of FedProxVR may go by: functions, assumptions as formulas, what names mean.

A vector is a random one: <x, y> is E<x, y>, f(x) is E f(x); what is assumed of every point holds of every
random one. The local loop of one client starts at `begin`, its round's start.
"""

from fedproof.papers.fedproxvr.carrying import STEPS
from fedproof.papers.fedproxvr.proofs import direct_rounds

#: not every step is brought down to the formulas below yet
LISTS = STEPS
FUNCTIONS = {
    # F_n of one client and its gradient; of every client; the global loss (1)
    "Loss": "real(vector)",
    "DLoss": "vector(vector)",
    "LossOf": "real(whole,vector)",
    "DLossOf": "vector(whole,vector)",
    "Total": "real(vector)",
    "DTotal": "vector(vector)",
    # p_n and sigma_n by the client, the probabilities of the outcomes of a round's draws
    "Weight": "real(whole)",
    "Sigma": "real(whole)",
    "Chance": "real(whole)",
    # by the step: the gradient of the sample that is drawn; the model and the direction of SARAH, of SVRG
    "Drawn": "vector(whole,vector)",
    "Sarah": "vector(whole)",
    "SarahV": "vector(whole)",
    "Svrg": "vector(whole)",
    "SvrgV": "vector(whole)",
    # a random vector's norm times a fixed vector of length 1
    "Sized": "vector(vector)",
    # by the client: its model at the round's end, the solution of its surrogate, and its model at an outcome
    "Local": "vector(whole)",
    "Solution": "vector(whole)",
    "Outcome": "vector(whole,whole)",
}
#: the round's start and end, a client's solution of (6), the models that line 10 returns, a fixed vector of
#: length 1, the model of a client that is drawn with the probabilities p_n, the mean of the local steps plus
#: c grad F at the round's start
POINTS = "begin best SarahEnd SvrgEnd unit server everyone off"
COUNTS = "tau N M"
#: names that count steps, clients, outcomes, rounds, entries
WHOLE = "j t k n i s T"
INDICES = {"client": "n N", "outcome": "i M", "t": "t k j tau"}


def prox(x: str) -> str:
    """(10) with the step 1/(beta L)."""
    return f"(1/(beta*L)/(1 + 1/(beta*L)*mu)*(mu*begin + 1/(1/(beta*L))*({x})))"


def steep(x: str) -> str:
    """The gradient of the surrogate (6)."""
    return f"(DLoss({x}) + mu*({x} - begin))"


def surrogate(x: str) -> str:
    """(6), (7)"""
    return f"(Loss({x}) + mu/2*n2({x} - begin))"


def mapping(x: str) -> str:
    """(30) with the step 1/(beta L)."""
    hat = prox(f"{x} - 1/(beta*L)*DLoss({x})")
    return f"(1/(1/(beta*L))*({x} - {hat}))"


def loop(w: str) -> tuple[tuple[str, str, str], ...]:
    """Algorithm 1, lines 4, 8 and 10, for one estimator: it picks t' uniformly from 0..tau."""
    over = "sum(1/(tau + 1)*n2({}), t, 0, tau)"
    return (
        (f"fedproxvr.algorithm1.line4.{w.lower()}", "", f"{w}(0) == begin"),
        (f"fedproxvr.algorithm1.line4.{w.lower()}.direction", "", f"{w}V(0) == DLoss(begin)"),
        (
            f"fedproxvr.algorithm1.line8.{w.lower()}",
            "t: 0..tau",
            f"{w}(t + 1) == {prox(f'{w}(t) - 1/(beta*L)*{w}V(t)')}",
        ),
        (
            f"fedproxvr.algorithm1.line8.{w.lower()}.first",
            "",
            f"{w}(1) == {prox(f'{w}(0) - 1/(beta*L)*{w}V(0)')}",
        ),
        (
            f"fedproxvr.algorithm1.line10.{w.lower()}",
            "",
            f"n2({steep(f'{w}End')}) == " + over.format(steep(f"{w}(t)")),
        ),
        (
            f"fedproxvr.algorithm1.line10.{w.lower()}.mapping",
            "",
            f"n2({mapping(f'{w}End')}) == " + over.format(mapping(f"{w}(t)")),
        ),
    )


_MOVED = "Drawn(t, Sarah(t)) - Drawn(t, Sarah(t - 1)) - (DLoss(Sarah(t)) - DLoss(Sarah(t - 1)))"
_AWAY = "Drawn(t, Svrg(t)) - Drawn(t, begin) - (DLoss(Svrg(t)) - DLoss(begin))"
#: formulas that are results of other texts
CITED = "fedproxvr.smooth_descent fedproxvr.eq76.smooth"
FORMULAS = (
    # Assumption 1, (3) for the sample that is drawn
    (
        "fedproxvr.assumption1.smooth",
        "t: whole, x y: vector",
        "n2(Drawn(t, x) - Drawn(t, y)) <= L**2*n2(x - y)",
    ),
    # Lemma 1.2.3 of [21], which is cited
    (
        "fedproxvr.smooth_descent",
        "x y: vector",
        "Loss(y) <= Loss(x) + ip(DLoss(x), y - x) + L/2*n2(y - x)",
    ),
    # Assumption 1, (4)
    (
        "fedproxvr.assumption1.weakly_convex",
        "x y: vector",
        "Loss(x) + ip(DLoss(x), y - x) <= Loss(y) + lam/2*n2(y - x)",
    ),
    (
        "fedproxvr.assumption1.weakly_convex",
        "n: 1..N, x y: vector",
        "LossOf(n, x) + ip(DLossOf(n, x), y - x) <= LossOf(n, y) + lam/2*n2(y - x)",
    ),
    (
        "fedproxvr.smooth_descent",
        "n: 1..N, x y: vector",
        "LossOf(n, y) <= LossOf(n, x) + ip(DLossOf(n, x), y - x) + L/2*n2(y - x)",
    ),
    # below (7)
    ("fedproxvr.definition.margin", "", "mt == mu - lam"),
    # (6): the solution, where the gradient is 0; it is the least, and there is one, as mu > lam
    ("fedproxvr.definition.solution", "", f"{steep('best')} == 0"),
    ("fedproxvr.definition.solution.least", "y: vector", f"{surrogate('best')} <= {surrogate('y')}"),
    (
        "fedproxvr.definition.solution",
        "n: 1..N",
        "DLossOf(n, Solution(n)) + mu*(Solution(n) - begin) == 0",
    ),
    # Algorithm 1
    *loop("Sarah"),
    *loop("Svrg"),
    # line 7, (8a) and (8b), which holds before the first step too, where w^(0) is the start
    (
        "fedproxvr.algorithm1.line7.sarah",
        "t: 1..tau",
        "SarahV(t) == Drawn(t, Sarah(t)) - Drawn(t, Sarah(t - 1)) + SarahV(t - 1)",
    ),
    (
        "fedproxvr.algorithm1.line7.svrg",
        "t: 0..tau",
        "SvrgV(t) == Drawn(t, Svrg(t)) - Drawn(t, begin) + DLoss(begin)",
    ),
    # line 6: i_t is uniform, whatever was picked before; of two points that are known then, the gradients of
    # the sample have the mean that those of F_n have, whatever is known then
    *(
        ("fedproxvr.algorithm1.line6.sarah", "t: 1..tau", f"ip({_MOVED}, {y}) == 0")
        for y in (
            "DLoss(Sarah(t))",
            "DLoss(Sarah(t - 1))",
            "SarahV(t - 1)",
            "Sarah(t)",
            "Sarah(t - 1)",
        )
    ),
    *(
        ("fedproxvr.algorithm1.line6.svrg", "t: 0..tau", f"ip({_AWAY}, {y}) == 0")
        for y in ("DLoss(Svrg(t))", "DLoss(begin)", "Svrg(t)", "begin", steep("Svrg(t)"))
    ),
    # E|x| is the mean of the random number |x|
    ("fedproxvr.convention.norm", "x: vector", "n2(Sized(x)) == n2(x)"),
    ("fedproxvr.convention.norm.unit", "", "n2(unit) == 1"),
    # Assumption 1, (5), and sigma2 below it
    (
        "fedproxvr.assumption1.dissimilarity",
        "n: 1..N, x: vector",
        "n2(DLossOf(n, x) - DTotal(x))**(1/2) <= Sigma(n)*n2(DTotal(x))**(1/2)",
    ),
    ("fedproxvr.assumption1.dissimilarity.sign", "n: 1..N", "0 <= Sigma(n)"),
    ("fedproxvr.definition.sigma2", "", "sum(Weight(n)*Sigma(n)**2, n, 1, N) == sigma2"),
    # (1), (2): p_n = D_n/D of clients that there are, and the global gradient is the mean
    ("fedproxvr.definition.weights", "", "sum(Weight(n), n, 1, N) == 1"),
    ("fedproxvr.definition.weights.sign", "n: whole", "0 <= Weight(n)"),
    (
        "fedproxvr.definition.mean",
        "x y: vector",
        "sum(Weight(n)*ip(DLossOf(n, x), y), n, 1, N) == ip(DTotal(x), y)",
    ),
    ("fedproxvr.convention.clients", "", "1 <= N"),
    # all rounds, in the language of functions: (3), (4) of every client, (5), (1), (2), line 12, Delta
    *direct_rounds.FORMULAS,
    # there is a round, and one that is spoken of is one of the run
    ("fedproxvr.convention.rounds", "", "1 <= T"),
    ("fedproxvr.convention.round", "", "1 <= s"),
    ("fedproxvr.convention.round", "", "s <= T"),
    # outcomes of a round's draws
    ("fedproxvr.convention.outcomes", "", "1 <= M"),
    ("fedproxvr.convention.chances", "i: whole", "0 <= Chance(i)"),
    # the mean over the outcomes, the round's start being fixed
    (
        "fedproxvr.convention.mean",
        "n: 1..N",
        "n2(Solution(n) - Local(n)) == sum(Chance(i)*n2(Solution(n) - Outcome(n, i)), i, 1, M)",
    ),
    ("fedproxvr.algorithm1.line12", "y: vector", "sum(Weight(n)*ip(Local(n), y), n, 1, N) == ip(server, y)"),
    # a name for how far the mean of the local steps is from a gradient step
    ("fedproxvr.definition.off", "", "off == server - begin + (1/(L + mu) + 1/mt)/2*DTotal(begin)"),
    # (54)-(55)
    (
        "fedproxvr.criterion11.squared",
        "n: 1..N",
        "n2(DLossOf(n, Local(n)) + mu*(Local(n) - begin)) <= theta**2*n2(DLossOf(n, begin))",
    ),
    (
        "fedproxvr.criterion11.squared",
        "n: 1..N",
        "sum(Chance(i)*n2(DLossOf(n, Outcome(n, i)) + mu*(Outcome(n, i) - begin)), i, 1, M)"
        " <= theta**2*n2(DLossOf(n, begin))",
    ),
    # the local models, stacked as one random vector, whose mean is the server's model
    ("fedproxvr.definition.everyone", "", "ip(everyone - server, server) == 0"),
    ("fedproxvr.definition.everyone", "", "ip(everyone - server, begin) == 0"),
    (
        "fedproxvr.definition.everyone.mean",
        "",
        "sum(Weight(n)*n2(Local(n) - begin), n, 1, N) == n2(everyone - begin)",
    ),
    # Lemma 1.2.3 of [21], which is cited, for the global loss
    (
        "fedproxvr.eq76.smooth",
        "x y: vector",
        "Total(y) - Total(x) <= ip(DTotal(x), y - x) + L/2*n2(y - x)",
    ),
)
MEANS: dict[str, str | tuple[str, ...]] = {"start": "begin", "mean_grad": "DTotal(begin)"}


def local(w: str) -> dict[str, str | tuple[str, ...]]:
    """What names mean in the local loop; those of the first step and of every step."""
    hat = prox(f"{w}(t) - 1/(beta*L)*DLoss({w}(t))")
    first, end = hat.replace("(t)", "(0)"), f"{w}End"
    before = "begin" if w == "Svrg" else f"{w}(k - 1)"
    return {
        "start": "begin",
        "J(k)": surrogate(f"{w}(k)"),
        "D(k)": f"n2({w}(k) - {w}(k - 1))",
        "X(k)": f"n2({w}(k) - begin)",
        "w(k)": f"{w}(k)",
        "after(k)": f"{w}(k + 1)",
        "hat(k)": hat.replace("(t)", "(k)"),
        "v(k)": f"{w}V(k)",
        "grad(k)": f"DLoss({w}(k))",
        "grad_before(k)": f"DLoss({w}(k - 1))",
        "v_before(k)": f"{w}V(k - 1)",
        "f_now(k)": f"Drawn(k, {w}(k))",
        "f_before(k)": f"Drawn(k, {w}(k - 1))",
        "f_start(k)": "Drawn(k, begin)",
        "F0(k)": f"Loss({w}(k))",
        "F1(k)": f"Loss({w}(k + 1))",
        "G(k)": mapping(f"{w}(k)"),
        "grad_J(k)": steep(f"{w}(k)"),
        "grad_J": steep(f"{w}(0)"),
        "w": f"{w}(0)",
        "after": f"{w}(1)",
        "hat": first,
        "v": f"{w}V(0)",
        "grad": f"DLoss({w}(0))",
        "F0": f"Loss({w}(0))",
        "F1": f"Loss({w}(1))",
        "G": mapping(f"{w}(0)"),
        "grad_first": "DLoss(begin)",
        "v_first": "DLoss(begin)",
        "grad_start": "DLoss(begin)",
        "grad_best": steep("best"),
        "grad_least": "DLoss(best)",
        "F_best": "Loss(best)",
        "last": f"{w}(tau + 1)",
        "F_last": f"Loss({w}(tau + 1))",
        "end": end,
        "hat_end": prox(f"{end} - 1/(beta*L)*DLoss({end})"),
        "grad_end": f"DLoss({end})",
        "mapping_end": mapping(end),
        "steep_end": steep(end),
        "E1": f"ip(Sized({steep(end)}), unit)",
        "E2": f"n2({steep(end)})",
        "x": f"Sized({steep(end)})",
        "one": "unit",
        "G0": "n2(DLoss(begin))",
        # the sharpened Lemma 1
        "Js": surrogate("best"),
        "least": "best",
        "at_start": steep("begin"),
        "plus(k)": f"{w}(k + 1)",
        "here(k)": f"{w}(k)",
        "before(k)": f"{w}(k - 1)",
        "grad_F(k)": f"DLoss({w}(k))",
        "moved_F(k)": f"DLoss({w}(k)) - DLoss({before})",
        "moved_f(k)": f"Drawn(k, {w}(k)) - Drawn(k, {before})",
        "z(k)": f"{w}(k) - {w}(k - 1)",
    }


#: after (72) for every client
_CLIENTS: dict[str, str | tuple[str, ...]] = {
    "start": "begin",
    "p(k)": "Weight(k)",
    "P(k)": "Chance(k)",
    "sigma(k)": "Sigma(k)",
    "B2": "n2(DTotal(begin))",
    "bar": "DTotal(begin)",
    "moved": "n2(server - begin)",
    "R2(k)": "n2(Local(k) - begin)",
    "G(k)": "n2(DLossOf(k, begin))",
    "local(k, l)": "Outcome(k, l)",
    "local(k)": "Local(k)",
    "local": "everyone",
    "least(k, l)": "Solution(k)",
    "least(k)": "Solution(k)",
    "grad(k, l)": "DLossOf(k, Outcome(k, l))",
    "grad(k)": "DLossOf(k, begin)",
    "grad_least(k, l)": "DLossOf(k, Solution(k))",
    "grad_least(k)": "DLossOf(k, Solution(k))",
    "F0(k, l)": "LossOf(k, Outcome(k, l))",
    "F0(k)": "LossOf(k, begin)",
    "F_best(k, l)": "LossOf(k, Solution(k))",
    "F_best(k)": "LossOf(k, Solution(k))",
    "size(k)": "n2(DLossOf(k, begin))**(1/2)",
    "r(k, l)": "n2(DLossOf(k, Outcome(k, l)) + mu*(Outcome(k, l) - begin))**(1/2)",
}
_APART = "(DLossOf(k, Local(k)) - DLossOf(k, begin) + lam*(Local(k) - begin))"
_ROUND: dict[str, str | tuple[str, ...]] = {
    "start": "begin",
    "p(k)": "Weight(k)",
    "sg(k)": "Sigma(k)**2",
    "sigma(k)": "Sigma(k)",
    "grad(k)": "DLossOf(k, begin)",
    "mean_grad": "DTotal(begin)",
    "G0": "n2(DTotal(begin))",
    "F0": "Total(begin)",
    "F1": "Total(server)",
    "e(k)": "DLossOf(k, Local(k)) + mu*(Local(k) - begin)",
    "d(k)": "Local(k) - begin",
    "b(k)": "begin",
    "grad_b(k)": "DLossOf(k, begin)",
    "Fa(k)": "LossOf(k, Local(k))",
    "Fb(k)": "LossOf(k, begin)",
    "z(k)": f"Local(k) - 1/(L + lam)*{_APART}",
    "Fz(k)": f"LossOf(k, Local(k) - 1/(L + lam)*{_APART})",
    "opposite(k)": f"begin + 1/(L + lam)*{_APART}",
    "F_opposite(k)": f"LossOf(k, begin + 1/(L + lam)*{_APART})",
    "dev(k)": "Local(k) - begin + (1/(L + mu) + 1/mt)/2*DLossOf(k, begin)",
    "mean_dev": "off",
    "here(k)": "ip(Local(k), off)",
    "slope(k)": "ip(DLossOf(k, begin), off)",
    "before": "ip(begin, off)",
    "after": "ip(server, off)",
    "mean_slope": "ip(DTotal(begin), off)",
    "step": "server - begin",
}
OTHERWISE: dict[str, dict[str, str | tuple[str, ...]]] = {
    "fedproxvr.eq11.sarah": local("Sarah"),
    "fedproxvr.eq11.svrg": local("Svrg"),
    "fedproxvr.sharp.sarah": local("Sarah")
    | {
        "after(k)": "Sarah(k + 1) - Sarah(k)",
        "error(k)": "DLoss(Sarah(k)) - SarahV(k)",
        "earlier(k)": "DLoss(Sarah(k - 1)) - SarahV(k - 1)",
        "direction(k)": "SarahV(k) + mu*(Sarah(k) - begin)",
        "direction_before(k)": "SarahV(k - 1) + mu*(Sarah(k - 1) - begin)",
    },
    "fedproxvr.sharp.svrg": local("Svrg")
    | {"deviation(k)": "SvrgV(k) - DLoss(Svrg(k))", "error(k)": "DLoss(Svrg(k)) - SvrgV(k)"},
    "fedproxvr.sharp.eq87": _ROUND,
    "fedproxvr.lemma3.end": _CLIENTS,
}
