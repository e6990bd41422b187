"""What other libraries need to work with fedproof, each behind an extra of its own name."""
