"""One file per paper: its own tuning problems and how they are solved; the files are discovered."""
