"""What texts assume of how unlike the clients are: one table of conditions, and which implies which."""
