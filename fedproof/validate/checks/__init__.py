"""Checks in practice, one file each; a file exposes `CHECK`."""
