"""Symbols that are left out, removed one after the other without changing the answer."""
