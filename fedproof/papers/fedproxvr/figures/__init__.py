"""Figures of Dinh et al., FedProxVR."""
