"""FedProxVR: Federated Learning with Proximal Stochastic Variance Reduced Gradient Algorithms (ICPP 2020)."""
