"""Non-convex composite federated learning with heterogeneous data (Zhang, Hu, Johansson; Automatica 2025)."""
