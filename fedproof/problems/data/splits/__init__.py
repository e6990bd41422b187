"""Splits, one file each, discovered by file name: a function `split` and the `OPTIONS` that it takes."""
