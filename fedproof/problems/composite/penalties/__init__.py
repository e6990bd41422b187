"""Penalties: convex functions with a proximal operator, one file each."""
