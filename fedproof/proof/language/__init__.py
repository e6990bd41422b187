"""What authors say of functions, means, sources of randomness and operators; `prelude` has it all."""
