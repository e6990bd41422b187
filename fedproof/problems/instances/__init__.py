"""Named problems, one file each, discovered by file name: `build(clients, seed, **options)`."""
