"""Smooth losses with a penalty: proximal operators, optima, duality gaps."""
