"""Constants of a problem, measured: one file for each kind."""
