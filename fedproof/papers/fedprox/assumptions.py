"""What the theorems assume of losses, oracle and sampling: what no check on numbers can see."""

from __future__ import annotations

from fedproof.bounds.statement import Assumption
from fedproof.vocabulary.source import Source

KEY = "fedprox"

LIPSCHITZ = Assumption(
    f"{KEY}.lipschitz",
    "every loss is G-Lipschitz",
    r"|\ell^{(m)}(w;z)-\ell^{(m)}(w';z)|\le G\|w-w'\|",
    Source(KEY, "Sec. 2, Notations; Theorems 1 to 4"),
    condition="bounded gradients",
)
SMOOTH = Assumption(
    f"{KEY}.smooth",
    "every loss is L-smooth",
    r"\|\nabla\ell^{(m)}(w;z)-\nabla\ell^{(m)}(w';z)\|\le L\|w-w'\|",
    Source(KEY, "Sec. 2, Notations; Theorems 1 and 3"),
)
WEAKLY_CONVEX = Assumption(
    f"{KEY}.weakly_convex",
    "every loss is nu-weakly convex",
    r"\ell^{(m)}(\cdot;z)+\tfrac{\nu}{2}\|\cdot\|^2\ \text{convex}",
    Source(KEY, "Sec. 2, Notations; Theorems 2 and 4"),
)
ORACLE = Assumption(
    f"{KEY}.oracle",
    "every local problem is solved to eps_t, by one rule for the model and what is drawn",
    r"Q^{(m)}(w_t^{(m)};w_{t-1})\le\min_w Q^{(m)}(w;w_{t-1})+\varepsilon_t",
    Source(KEY, "Definitions 2 and 3"),
)
EXACT = Assumption(
    f"{KEY}.exact",
    "every local problem is solved exactly",
    r"Q^{(m)}(w_t^{(m)};w_{t-1})=\min_w Q^{(m)}(w;w_{t-1})",
    Source(KEY, "Theorems 2 and 4, eps_t = 0"),
)
UNIFORM = Assumption(
    f"{KEY}.sampling.uniform",
    "each of the I devices of a round is drawn uniformly, independently of the past",
    r"\mathbb P(\xi_j=m)=\tfrac1M",
    Source(KEY, "Sec. 2; Algorithm 1"),
)
SAMPLING = Assumption(
    f"{KEY}.sampling",
    "the I devices of a round are drawn independently of each other",
    r"\xi_1,\dots,\xi_I\ \text{i.i.d. uniform on}\ [M]",
    Source(KEY, 'Sec. 2, "sampled with replacement"; Algorithm 1'),
)
BATCHES = Assumption(
    f"{KEY}.sampling.batches",
    "the samples of a draw are drawn from its device's distribution, independently of all else of the round",
    r"z_{\xi,i}\ \text{i.i.d.}\sim\mathcal D^{(\xi)}",
    Source(KEY, "Algorithm 1"),
)
DISTINCT = Assumption(
    f"{KEY}.sampling.distinct",
    "the I devices of a round are distinct: each is drawn uniformly from those that are left",
    r"\mathbb P(\xi_j=m\,|\,\xi_1,\dots,\xi_{j-1})=\tfrac1{M-j+1},\quad m\notin\{\xi_1,\dots,\xi_{j-1}\}",
    Source(KEY, 'Sec. 2, "sampling without replacement"'),
)
DISSIMILARITY = Assumption(
    f"{KEY}.dissimilarity",
    "the devices' gradients are within H^2 of the risk's, in the mean over the devices",
    r"\tfrac1M\sum_{m}\|\nabla R^{(m)}(w)-\nabla\bar R(w)\|^2\le H^2",
    Source(KEY, "not in the paper; (1, H)-LGD of Definition 1 in other words"),
    condition="bounded dissimilarity",
)
FULL = Assumption(
    f"{KEY}.full",
    "every device takes part in every round, once",
    r"I_t\equiv[M]:\quad\tfrac1{|I_t|}\sum_{\xi\in I_t}\nabla R^{(\xi)}(w)=\nabla\bar R(w)",
    Source(KEY, "Remark 2; Sec. 1.2, below (4)"),
)
LGD = Assumption(
    f"{KEY}.lgd",
    "the devices have (B, 0)-local gradient dissimilarity",
    r"\tfrac1M\sum_{m}\|\nabla R^{(m)}(w)\|^2\le B^2\|\nabla\bar R(w)\|^2",
    Source(KEY, "Definition 1 with H = 0; Remark 2"),
    condition="local dissimilarity",
)
AVERAGE = Assumption(
    f"{KEY}.average",
    "the server takes the mean of the local models",
    r"w_t=\tfrac1{|I_t|}\sum_{\xi\in I_t}w_t^{(\xi)}",
    Source(KEY, "below (3); Algorithm 1"),
)
START = Assumption(
    f"{KEY}.start",
    "the gap at the start is what its name says",
    r"\bar\Delta^{(0)}=\bar R(w_0)-\min_w\bar R(w),\quad"
    r"\bar\Delta_{\rho}^{(0)}=\bar R_{\rho}(w_0)-\min_w\bar R_{\rho}(w)",
    Source(KEY, "above Theorems 1, 2 and 3"),
)
ENVELOPE = Assumption(
    f"{KEY}.envelope",
    "the Moreau envelope and the proximal point of the global risk are what their definitions say",
    r"\bar R_{\rho}(w)=\min_u\{\bar R(u)+\tfrac1{2\rho}\|u-w\|^2\}"
    r"=\bar R(\bar w)+\tfrac1{2\rho}\|\bar w-w\|^2",
    Source(KEY, "Sec. 2, Notations"),
)
ENVELOPE_GRADIENT = Assumption(
    f"{KEY}.envelope.gradient",
    "the gradient of the Moreau envelope is (w - prox(w))/rho",
    r"\nabla\bar R_{\rho}(w)=\tfrac1{\rho}(w-\mathrm{prox}_{\rho\bar R}(w))",
    Source(KEY, "Remark 5, from Davis and Drusvyatskiy (2019)"),
)

ASSUMPTIONS = {
    a.id: a
    for a in (
        LIPSCHITZ, SMOOTH, WEAKLY_CONVEX, ORACLE, EXACT, UNIFORM, SAMPLING, BATCHES, DISTINCT, FULL,
        LGD,
        DISSIMILARITY, AVERAGE, START, ENVELOPE, ENVELOPE_GRADIENT,
    )
}  # fmt: skip
