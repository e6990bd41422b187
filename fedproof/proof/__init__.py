"""Steps of proofs as data, the lemmas they use, how each is decided, refuted and explained; no paper."""
