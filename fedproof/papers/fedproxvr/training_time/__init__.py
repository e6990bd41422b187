"""Problem (23) of FedProxVR: its global minimum, located and certified."""
