"""Appendix C.1: the second bound of Lemma 11, the components that the text splits it into, and their bounds.

The bound itself is had from the sharpened one, which does without Lemma 10.

a_m is the gradient of device m's risk at w_{t-1}, b_m at its local model, c_m the expectation of b_m, e_m
that of the gradient of its minibatch.
"""

from fedproof.papers.fedprox.proofs.rounds import *
from fedproof.papers.fedprox.proofs.theorem1 import CHANGE, LOSSES, NUMBERS, ORACLE, UNIFORM, dbar, g
from fedproof.papers.fedprox.proofs.theorem3 import CLOSE, LEMMA11_SECOND

by = step_writer("fedprox", __name__)
m = sp.Symbol("m", integer=True)
p, q, s = vectors("p q s")
A_, B_, C_, E_ = (
    Field("a", r"\nabla R^{(#1)}(w_{t-1})"), Field("b_", r"\nabla R^{(#1)}(w_t^{(#1)})"),
    Field("c", r"\mathbb E[\nabla R^{(#1)}(w_t^{(#1)})]"), Field("e", r"\mathbb E[d_t^{(#1)}]"),
)  # fmt: skip
DEVICES = (m, 1, M)
WHERE = "proof of Lemma 11, the second bound"
MODULUS = 1 / eta - L


def devices(term: Any) -> Any:
    """The mean over the devices."""
    with printed():
        return total(term, *DEVICES) / M


with printed():
    THREE = by.quad("lemma11.second.three", f"{WHERE}, three vectors")(
        n2(p + q + s) <= 3 * (n2(p) + n2(q) + n2(s))
    )
    SPLIT = by.real("lemma11.second.split", f"{WHERE}, the three components")(
        n2(devices(A_(m) - E_(m)))
        <= 3 * devices(n2(A_(m) - B_(m))) + 3 * devices(n2(C_(m) - E_(m))) + 3 * devices(n2(B_(m) - C_(m))),
        M >= 1,
        jensen(A_(m) - E_(m), m, M),
        THREE.at({p: A_(m) - B_(m), q: C_(m) - E_(m), s: B_(m) - C_(m)}, over=DEVICES),
    )  # fmt: skip
    FIRST = by.quad("lemma11.second.first", f"{WHERE}, the component A'")(
        3 * n2(p - q) <= 12 * L**2 * G**2 * eta**2,
        L > 0, n2(p - q) <= L**2 * n2(u - v), n2(u - v) <= 4 * G**2 * eta**2,
        note="By smoothness and (16).",
    )  # fmt: skip
    SMALL = (eta > 0, L > 0, G >= 0, b >= 1, L * eta < 1)
    SECOND = by.real("lemma11.second.second", f"{WHERE}, the component B'")(
        Eq(3 * (5 * L * G * eta / ((1 - eta * L) * b)) ** 2, 75 * L**2 * G**2 / (MODULUS**2 * b**2)),
        SMALL,
        note="By the first bound of Lemma 10.",
    )
    THIRD = by.real("lemma11.second.third", f"{WHERE}, the component C'")(
        Eq(3 * (25 * L**2 * G**2 * eta**2 / ((1 - eta * L) ** 2 * b)), 75 * L**2 * G**2 / (MODULUS**2 * b)),
        SMALL,
        note="By the second bound of Lemma 10 with eta_t^2; with its printed eta_t the component were larger "
        "for eta_t < 1.",
    )
    PRINTED = by.real("lemma11.second", "Lemma 11, the second bound")(
        n2(g - dbar)
        <= 12 * L**2 * G**2 * eta**2 + 75 * L**2 * G**2 / (MODULUS**2 * b**2)
        + 75 * L**2 * G**2 / (MODULUS**2 * b),
        NUMBERS, ROUND, b >= 1, L * eta < 1, LOSSES, ORACLE.known, CHANGE.known, CLOSE, UNIFORM,
        LEMMA11_SECOND.at(),
        note="4 L^2 G^2 eta_t^2 is enough: lemma11.second.sharpened.",
    )  # fmt: skip
