"""The checks of fedprox in practice, a file a comparison."""
