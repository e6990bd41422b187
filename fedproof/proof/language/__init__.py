"""What an author says of functions, means, sources of randomness and operators, and what is known of them."""
