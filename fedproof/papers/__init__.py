"""One folder per paper; the folders are discovered, nothing here is edited to add one."""
