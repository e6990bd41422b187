"""Rules of everyday use in proofs, one a file: what they need, what they give, their proof and their misuses.

In the space of random vectors <x, y> means E<x, y>. Each module has functions that return hypotheses or an
application of a proved step, PROOF with its steps and FALSE with misuses that nothing may prove.
"""
