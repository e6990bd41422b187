"""How gradients over rows are computed: in NumPy always, compiled where numba is installed."""
