"""Which parameters: admissible ranges, optimal training time, constants measured from data."""
