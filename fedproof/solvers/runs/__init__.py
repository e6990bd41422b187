"""Runs as data: a run specification, many of them, their records, sweeps."""
