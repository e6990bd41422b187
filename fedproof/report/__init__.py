"""One self-contained page: what holds, what does not, and by what margin."""
