"""Names, quantities, metrics, intervals, sources, errors and the value parser; plain Python."""
