"""Rules that turn a proof step into questions of plain real algebra, one a file."""
