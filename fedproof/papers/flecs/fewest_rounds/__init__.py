"""Theorems 4 and 5 and Corollary 6, compiled into what a search along one letter needs."""
