"""FedProx and FedMSPP without dissimilarity conditions: Yuan and Li (2022)."""
