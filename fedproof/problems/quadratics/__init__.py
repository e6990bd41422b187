"""Quadratic losses and their exact constants."""
