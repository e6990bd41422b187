"""Figures of composite federated learning, one file each."""
