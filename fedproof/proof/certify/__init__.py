"""How certificates are found: nothing here is trusted, for the kernel checks what comes out."""
