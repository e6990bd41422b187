"""Constants of a problem, measured: one file for each kind."""

from fedproof.vocabulary.verbs import make_callable

make_callable(__name__)
