"""Checks of FedProxVR in practice; files with a leading underscore are what they share."""
