"""The statements of fedprox."""
