"""Logs of runs, whoever ran them, against what a paper says of its algorithm."""
