"""One file per kind of claim: how it is proved or refuted from its conditions alone."""
