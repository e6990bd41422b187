"""The steps of the paper's proofs, a file a lemma, in the order of its equations."""
