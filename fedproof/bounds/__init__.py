"""What the papers say: statements, conditions and steps as frozen data over SymPy expressions."""
