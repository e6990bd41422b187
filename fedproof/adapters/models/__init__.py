"""Models of this folder are found beside our own."""
