"""Which values of one symbol some conditions admit: exact intervals, enclosures, nearest values."""
