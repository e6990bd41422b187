"""Steps of the proofs, a file a lemma or section."""
