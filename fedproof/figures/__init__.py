"""The papers' figures, one file each: a table is computed; picture and caption are made from it alone."""
