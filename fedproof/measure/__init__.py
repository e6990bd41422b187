"""Constants of a problem, measured: one file for each kind; `fp.measure(...)` is the verb of its `api`.

>>> import fedproof as fp
>>> fp.measure("quadratic", clients=3, rounds=2, seeds=2).constants["smoothness_sample"].kind
'exact'
"""

from fedproof.vocabulary.verbs import make_callable

make_callable(__name__)
