"""Theorem 1, (76)-(79): smoothness of the global loss and the inner product with the round's step."""

from fedproof.papers.fedproxvr.assumptions import SMOOTH
from fedproof.papers.fedproxvr.proofs.appendix_a import SMOOTH_MEAN
from fedproof.papers.fedproxvr.proofs.domain import IN_THEOREM1, WITHIN
from fedproof.papers.fedproxvr.proofs.lemma3 import EQ69
from fedproof.papers.fedproxvr.proofs.means import NORM_JENSEN, SCHWARZ
from fedproof.papers.fedproxvr.proofs.means import x as any_x
from fedproof.papers.fedproxvr.proofs.means import y as any_y
from fedproof.papers.fedproxvr.proofs.round_vectors import *

by = step_writer("fedproxvr", __name__)

w, grad_w = vector("w", "w"), vector("grad", r"\nabla F_n(w)")
before, grad_before = vector("before", "w'"), vector("grad_before", r"\nabla F_n(w')")
apart = number("apart", r"\|w-w'\|")
size = number("size", r"\|\nabla\bar F(w)-\nabla\bar F(w')\|")
mean_size = number("mean_size", r"\mathbb E_n\|\nabla F_n(w)-\nabla F_n(w')\|")
X = sequence("X(n)", r"\|\nabla F_n(w)-\nabla F_n(w')\|", nonnegative=True)
#: inner products of grad F with the step and in (76), (77)
_MOVED, _SURPLUS = r"\bar w^{(s)}-\bar w^{(s-1)}", r"\mathbb E_n[\nabla J_n(w_n^{(s)})-\nabla F_n(w_n^{(s)})]"
along = number("along", rf"\langle\nabla\bar F(\bar w^{{(s-1)}}),{_MOVED}\rangle")
first = number("first", rf"\langle\nabla\bar F(\bar w^{{(s-1)}}),{_SURPLUS}\rangle")
second = number(
    "second", rf"\langle\nabla\bar F(\bar w^{{(s-1)}}),{_SURPLUS}+\nabla\bar F(\bar w^{{(s-1)}})\rangle"
)

with printed():
    GLOBAL_JENSEN = by.real("global_smooth.jensen", "above (76), first inequality")(
        size <= mean_size,
        NORM_JENSEN.at(),
    )
    LOCAL_SMOOTH = by.quad("global_smooth.client", "above (76), second inequality, one client")(
        norm(grad_w - grad_before) <= L * norm(w - before),
        L > 0,
        SMOOTH_MEAN.at(),
    )
    GLOBAL_SMOOTH = by.sum("global_smooth", "above (76)")(
        size <= L * apart,
        CLIENTS,
        L > 0,
        GLOBAL_JENSEN.at({mean_size: average(X(n))}),
        LOCAL_SMOOTH.at({norm(grad_w - grad_before): X(n), norm(w - before): apart}, over=CLIENT),
        WEIGHTS,
    )
    GLOBAL_DESCENT = by.cite("eq76.smooth", "above (76), first <=")(
        F1 - F0 <= ip(bar, server - start) + L / 2 * STEP2,
        L > 0,
        assume(
            SMOOTH.id, GLOBAL_SMOOTH.at({size: norm(bar_end - bar), apart: norm(server - start)}).relation
        ),
        note="Lemma 1.2.3 of [21]: a loss with an L-Lipschitz gradient lies below its quadratic model.",
    )
    ROUND_DESCENT = by.quad("eq76.smooth.round", "above (76), first <=")(
        F1 - F0 <= ip(bar, server - start) + L / 2 * STEP2, L > 0, GLOBAL_DESCENT.at()
    )
    MOVES = EQ69.at({average(jc(n) - fc(n)): gap, server_c: server, start_c: start})
    EQ76 = by.quad("eq76")(
        Eq(ip(bar, server - start) + L / 2 * STEP2, 1 / mu * ip(start, gap) + L / 2 * STEP2),
        mu > 0,
        MOVES,
        IN_THEOREM1,
        assume(
            "instance: one client, F(w) = (w - 1)^2/2, the round starts at 0 and returns w^(1)",
            Eq(start, 0),
            Eq(server, start - 1 / (beta * L + mu) * bar),
        ),
        flaw="misprint",
        witness=values(f"{WITHIN} bar_1=-1"),
        note="Printed with the model for the gradient of F at it in the inner product; (77) goes on with the "
        "gradient, so nothing later is affected.",
    )
    EQ76_REPAIRED = by.quad("eq76.repaired")(
        Eq(ip(bar, server - start) + L / 2 * STEP2, 1 / mu * ip(bar, gap) + L / 2 * STEP2),
        mu > 0,
        MOVES,
        repairs="fedproxvr.eq76",
    )
    EQ77 = by.quad("eq77")(
        Eq(
            1 / mu * ip(bar, gap) + L / 2 * STEP2,
            1 / mu * ip(bar, gap + bar) - 1 / mu * n2(bar) + L / 2 * STEP2,
        ),
        mu > 0,
        note="The text says that grad F_n(w_n) is subtracted and added; it is the global gradient.",
    )
    EQ78 = by.quad("eq78")(
        Eq(
            1 / mu * ip(bar, gap + bar) - 1 / mu * n2(bar) + L / 2 * STEP2,
            1 / mu * ip(bar, mean_start - mean_F)
            + 1 / mu * ip(bar, mean_J)
            - 1 / mu * n2(bar)
            + L / 2 * STEP2,
        ),
        mu > 0,
        assume("meaning: a mean of differences is the difference of the means", Eq(gap, mean_J - mean_F)),
        assume("definition: (2), so grad F is the mean of the grad F_n", Eq(mean_start, bar)),
    )


#: norms of one outcome, where the file's own names are means
PATHWISE = tuple((term, latex.removeprefix(r"\mathbb E")) for term, latex in (H.latex, Q.latex))


def inner(name: str, descent: Step) -> Step:
    """(76)-(79), from a smoothness bound for the global loss."""
    with printed():
        names = {
            ip(bar, server - start): along,
            ip(bar, gap): first,
            ip(bar, gap + bar): second,
            ip(bar, mean_start - mean_F): average(In(n)),
            ip(bar, mean_J): average(K(n)),
            n2(bar): B**2,
            STEP2: S2,
        }
        products = (
            SCHWARZ.at(
                {ip(any_x, any_y): product(n), norm(any_x): B, norm(any_y): length(n)},
                over=CLIENT,
            )
            for product, length in ((In, H), (K, Q))
        )
        return by.sum(name, "eq. (79)")(
            F1 - F0 <= 1 / mu * B * average(H(n)) + 1 / mu * B * average(Q(n)) - 1 / mu * B**2 + L / 2 * S2,
            POSITIVE,
            CLIENTS,
            assume("meaning: a norm", B >= 0),
            *(
                s.at({key: value for key, value in names.items() if s.mentions(key)})
                for s in (descent, EQ76_REPAIRED, EQ77, EQ78)
            ),
            *products,
            note="The inner product with a mean over clients is the mean of the inner products.",
            reads=PATHWISE,
        )


EQ79 = inner("eq79", ROUND_DESCENT)
