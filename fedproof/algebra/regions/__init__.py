"""What is known of expressions on a region: signs, directions, limits, and the conditions that say it."""
