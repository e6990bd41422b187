"""Is it true: engines, claims, checks in practice, verdicts."""

from fedproof.vocabulary.verbs import make_callable

make_callable(__name__)
