"""What makes a proof a proof: judgements, and the rules by which their certificates are checked."""
