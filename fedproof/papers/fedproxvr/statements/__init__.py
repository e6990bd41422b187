"""What FedProxVR claims, printed, repaired and sharpened."""
