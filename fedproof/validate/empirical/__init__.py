"""A statement held against runs: exactly, over every outcome, over seeds, or by a search for its worst."""
