"""Is it true: engines, claims, checks in practice, verdicts; `fp.validate(...)` is the verb of its `api`.

>>> import fedproof as fp
>>> fp.validate("fedproxvr.remark1.2").results[0].verdict
'not applicable'
"""

from fedproof.vocabulary.verbs import make_callable

make_callable(__name__)
