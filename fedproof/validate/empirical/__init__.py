"""A statement held against runs: exactly, over every outcome, or over seeds."""
