"""What the papers run: driver, history, prox, and one file per algorithm."""
