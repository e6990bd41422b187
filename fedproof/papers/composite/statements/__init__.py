"""What composite claims, printed, repaired and sharpened."""
