"""What statements bound and runs measure: one name, one meaning, one index range."""

from __future__ import annotations

from dataclasses import dataclass

from fedproof.vocabulary.papers import named


@dataclass(frozen=True, slots=True)
class Metric:
    """A measurable quantity of a run.

    Arguments:
        name: canonical word.
        meaning: one sentence.
        latex: as a paper would print it.
        index: over which rounds and clients it is taken.
    """

    name: str
    meaning: str
    latex: str
    index: str


_ALL = (
    Metric("loss", "global loss at the server's model", r"\bar F(\bar w^{(s)})", "every round s"),
    Metric(
        "squared_gradient",
        "squared norm of the global gradient at the server's model",
        r"\|\nabla\bar F(\bar w^{(s)})\|^2",
        "every round s",
    ),
    Metric(
        "mean_squared_gradient",
        "mean over rounds of the expected squared norm of the global gradient",
        r"\frac1T\sum_{s=1}^{T}\mathbb E\|\nabla\bar F(\bar w^{(s)})\|^2",
        "s = 1..T, as printed; the proof bounds s = 0..T-1",
    ),
    Metric(
        "squared_envelope_gradient",
        "squared norm of the gradient of the global loss's Moreau envelope at the server's model",
        r"\|\nabla\bar R_{\mathrm{erm},\rho}(w_t)\|^2",
        "every round t",
    ),
    Metric(
        "local_inexactness",
        "expected surrogate gradient norm at the local model over the gradient norm at its start",
        r"\mathbb E\|\nabla J_n(w_n^{(s)})\| / \|\nabla F_n(\bar w^{(s-1)})\|",
        "every client n and round s, conditioned on the round's start",
    ),
    Metric(
        "local_inexactness_rms",
        "root mean square of the surrogate gradient at the local model over the gradient norm at its start",
        r"\big(\mathbb E\|\nabla J_n(w_n^{(s)})\|^2\big)^{1/2} / \|\nabla F_n(\bar w^{(s-1)})\|",
        "every client n and round s, conditioned on the round's start",
    ),
    Metric(
        "descent",
        "expected decrease of the global loss in a round over the squared gradient at its start",
        r"\mathbb E[\bar F(\bar w^{(s-1)})-\bar F(\bar w^{(s)})]/\|\nabla\bar F(\bar w^{(s-1)})\|^2",
        "every round s, conditioned on the round's start",
    ),
    Metric(
        "relative_movement",
        "expected squared movement of the server's model in a round over the squared gradient at its start",
        r"\mathbb E\|\bar w^{(s)}-\bar w^{(s-1)}\|^2/\|\nabla\bar F(\bar w^{(s-1)})\|^2",
        "every round s, conditioned on the round's start",
    ),
    Metric(
        "rounds_to_accuracy",
        "rounds until the mean squared gradient is at most the accuracy",
        "T",
        "one number",
    ),
    Metric("training_time", "total time of computation and communication", r"\mathcal T", "one number"),
    Metric(
        "squared_prox_gradient",
        "squared norm of the prox-gradient mapping, with the effective step size, at the server's model",
        r"\|\mathcal G(P_{\tilde\eta}(\overline{\mathbf x}^{r}))\|^2",
        "every round r",
    ),
    Metric(
        "mean_squared_prox_gradient",
        "mean over rounds of the expected squared norm of the prox-gradient mapping",
        r"\frac1R\sum_{r=1}^{R}\mathbb E\|\mathcal G(P_{\tilde\eta}(\overline{\mathbf x}^{r}))\|^2",
        "r = 1..R, the models at the starts of the rounds",
    ),
    Metric(
        "potential",
        "expected objective gap plus the spread of the corrections over the effective step size",
        r"\mathbb E[\Omega^{R+1}]",
        "after R rounds",
    ),
    Metric(
        "distance_potential",
        "expected squared distance from the solution plus the spread of the corrections",
        r"\mathbb E[\Omega_{sc}^{R+1}]",
        "after R rounds",
    ),
    Metric(
        "objective_gap",
        "expected objective at the server's model minus the least objective",
        r"\mathbb E[F(P_{\tilde\eta}(\overline{\mathbf x}^{R+1}))]-F^{\star}",
        "after R rounds",
    ),
    Metric(
        "squared_distance",
        "expected squared distance of the server's model from the set of solutions",
        r"\mathbb E\,\mathrm{dist}^2(P_{\tilde\eta}(\overline{\mathbf x}^{R+1}),\mathcal X^{\star})",
        "after R rounds",
    ),
    Metric(
        "local_drift",
        "expected squared distances of the local models from the round's start, summed",
        r"\mathbb E\big[\sum_{t=0}^{\tau-1}\sum_{i=1}^{n}\|\mathbf z_{i,t}^{r}"
        r"-P_{\tilde\eta}(\overline{\mathbf x}^{r})\|^2\big]",
        "t = 0..tau-1 and all clients i, in every round r",
    ),
    Metric(
        "correction_spread",
        "mean over clients of the expected squared distance of accumulated directions from their mean",
        r"\frac1n\mathbb E\|\mathbf\Lambda^{r+1}-\overline{\mathbf\Lambda}^{r+1}\|^2",
        "after every round r",
    ),
    Metric(
        "squared_movement",
        "squared movement of the server's model in a round",
        r"\|P_{\tilde\eta}(\overline{\mathbf x}^{r+1})-P_{\tilde\eta}(\overline{\mathbf x}^{r})\|^2",
        "every round r",
    ),
    Metric(
        "squared_difference",
        "squared distance of the server's models of two algorithms",
        r"\|\mathbf x^{r}-\mathbf y^{r}\|^2",
        "every round r",
    ),
    Metric(
        "squared_mean_correction",
        "squared norm of the mean of the clients' corrections",
        r"\|\tfrac1n\sum_{i=1}^{n}\mathbf c_i^{r}\|^2",
        "every round r",
    ),
    Metric(
        "subgradient_norm",
        "largest norm of a subgradient of the penalty",
        r"\sup_{\mathbf x}\max_{\mathbf s\in\partial g(\mathbf x)}\|\mathbf s\|",
        "every model",
    ),
    Metric(
        "prox_pl_defect",
        "how far the proximal PL inequality fails, at the worst model",
        r"\sup_{\mathbf x}\,\{\mu(F(\mathbf x)-F^{\star})-\tfrac12 D_g(\mathbf x,\mu)\}",
        "every model",
    ),
    Metric(
        "prox_pl_defect_smooth",
        "how far the proximal PL inequality with the smoothness in D_g fails, at the worst model",
        r"\sup_{\mathbf x}\,\{\mu(F(\mathbf x)-F^{\star})-\tfrac12 D_g(\mathbf x,L)\}",
        "every model",
    ),
)

METRICS: dict[str, Metric] = {m.name: m for m in _ALL}


def metric(name: str) -> Metric:
    """The metric with this name: one of the field's, or one that a paper's index points to.

    Raises: UnknownName with the nearest name.

    >>> metric("loss").index
    'every round s'
    """
    found = METRICS.get(name)
    return named("metric", name, METRICS) if found is None else found
