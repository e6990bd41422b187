"""Compressors, one file each, discovered by file name: the class with a matching `name`."""
