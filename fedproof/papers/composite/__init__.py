"""Non-convex composite federated learning with heterogeneous data (Zhang, Hu, Johansson; 2025)."""
