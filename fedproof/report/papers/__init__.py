"""What the report asks of each paper: one file of literals a paper."""
