"""Checks in practice: a folder a paper, a file a check; a file exposes `CHECK`."""
