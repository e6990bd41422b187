"""Losses of models on rows of data."""
