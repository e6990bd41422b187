"""Models, one file each, discovered by file name: the frozen class is the `MODEL` of its file."""
