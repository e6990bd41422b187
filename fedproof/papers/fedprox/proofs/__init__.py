"""The proofs of FedProx and FedMSPP, a file a part."""
