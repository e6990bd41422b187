"""From data and network to what to run: every paper's theorems on measured constants, beside short runs."""
