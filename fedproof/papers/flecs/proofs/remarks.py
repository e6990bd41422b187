"""What the text says beside its results: of the solution, of the server's means, of equal distributions."""

from fedproof.papers.flecs.proofs.rounds import *

by = step_writer("flecs", __name__)
Hi, HF = Field("Hi", r"\nabla^2f_{#1}(w_k)#2"), Field("HF", r"\nabla^2F(w_k)#1")
best, first = number("best", "w^*"), number("first", r"\nabla f_1(w^*)")
s_11, s_12, s_21, h_1, h_2 = numbers("s_11 s_12 s_21 h_1 h_2")
m_1, m_2, q_1, q_2 = numbers("m_1 m_2 q_1 q_2")
x_, z = vectors("x z")
G = Field("G", r"\nabla f(#1)")
#: S, Y~ and B S of one column, and (Y~ - B S)^T S, which is L of Algorithm 2 where messages are exact
sketch, sketched, before = vector("sketch", "S"), vector("sketched", r"\tilde Y"), vector("before", "BS")
product = number("product", r"(\tilde Y-BS)^TS")

with printed():
    # -- Sec. 1: the workers' gradients at the solution
    APART = by.real("eq1.apart", "Sec. 1, below (1)")(
        first > 0,
        assume(
            "instance: two workers with w^2/2 + w and w^2/2 - w",
            Eq((best + 1 + best - 1) / 2, 0), Eq(first, best + 1),
        ),
        note="They need not be 0, which is how the text is read. With one worker they always are.",
    )  # fmt: skip
    # -- Sec. 3: M_k, an entry; x and z are columns of the sketch
    MEAN_HESSIAN = ForEvery(Eq(HF(v), total(Hi(i, v), i, 1, n) / n), (v,))
    PRODUCTS = by.real("server.products.meant", "Sec. 3, what the server forms; (3)")(
        Eq(total(ip(x_, Hi(i, z)), i, 1, n) / n, ip(x_, HF(z))), n >= 1, MEAN_HESSIAN.at(z),
        repairs="flecs.server.products",
        note="With exact products of the Hessians, or in the mean over their samples.",
    )  # fmt: skip
    PRINTED_PRODUCTS = by.real("server.products", "Sec. 3, what the server forms")(
        Eq(s_11**2 * h_1 + s_21**2 * h_2, s_11**2 * h_1 + s_12**2 * h_2),
        n >= 1, m >= 1, d >= m,
        assume(
            "instance: one worker with w_1^2/2 + w_2^2 and a sketch of two columns, the first of which is 0",
            Eq(n, 1), Eq(m, 2), Eq(d, 2), Eq(h_1, 1), Eq(h_2, 2), Eq(s_11, 0), Eq(s_21, 0), Eq(s_12, 1),
        ),
        flaw="rendering",
        witness=values("n=1 m=2 d=2 h_1=1 h_2=2 s_11=0 s_21=0 s_12=1"),
        note="The display, or its scan, has S_k grad^2 F S_k^T, whose sizes fit only where m = d; (3) has it "
        "right. On the left the first entry of S_k^T grad^2 F S_k, on the right of what is printed.",
    )  # fmt: skip
    # -- below Assumption 5: equal gradients and equal data
    ALIKE = by.real("assumption5.alike", "below Assumption 5")(
        Eq(q_1, q_2),
        n >= 1, zeta2 >= 0,
        assume(
            "instance: two workers with E(w - x)^2/2; the mean and mean square of their data are m and q",
            Eq(n, 2), Eq(zeta2, (m_1 - m_2) ** 2 / 4), Eq(zeta2, 0), q_1 >= m_1**2, q_2 >= m_2**2,
        ),
        flaw="gap",
        witness=values("n=2 zeta2=0 m_1=0 m_2=0 q_1=1 q_2=0"),
        note="The data of one are -1 or 1, of the other 0: at zeta = 0 the gradients of the mean losses "
        "agree, and they tell nothing else of the data. The converse is true.",
    )  # fmt: skip
    SAME = ForEvery(Eq(grad(i, u), G(u)), (u,), "", (WORKERS,))
    TOWARD = by.real("assumption5.alike.product", "below Assumption 5, the converse, a worker")(
        Eq(ip(grad(i, u) - G(u), z), 0), 1 <= i, i <= n, SAME.at(i, u)
    )
    MEANS = by.real("assumption5.alike.mean", "below Assumption 5, the converse, the objective")(
        Eq(ip(DF(u) - G(u), z), 0),
        n >= 1, SAME.known, MEAN_GRAD.at(u), TOWARD.at(over=WORKERS),
    )  # fmt: skip
    EACH = by.real("assumption5.alike.worker", "below Assumption 5, the converse, a worker")(
        Eq(n2(grad(i, u) - DF(u)), 0),
        1 <= i, i <= n, n >= 1, SAME.known, MEAN_GRAD.known, SAME.at(i, u), MEANS.at({z: G(u) - DF(u)}),
    )  # fmt: skip
    CONVERSE = by.real("assumption5.alike.meant", "below Assumption 5, the converse")(
        Eq(total(n2(grad(i, u) - DF(u)), i, 1, n) / n, 0),
        n >= 1, SAME.known, MEAN_GRAD.known, EACH.at(over=WORKERS),
        repairs="flecs.assumption5.alike",
    )  # fmt: skip
    # -- (6) in any dimension, one column, nothing truncated
    SECANT = by.quad("eq6.secant.vector", "(6), B_{k+1} S = Y in any dimension for one column")(
        Eq(n2(before + product / product * (sketched - before) - sketched), 0),
        product > 0, Eq(product, ip(sketched - before, sketch)),
    )  # fmt: skip
