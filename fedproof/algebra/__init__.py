"""Exact real algebra: expression trees, radicals, algebraic numbers, cells; no statement is known here."""
