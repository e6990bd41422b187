"""Readers, one file each, discovered by file name: `ENDINGS`, `claims(path)`, `files(path)`, `read(path)`."""
