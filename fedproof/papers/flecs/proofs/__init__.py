"""The proofs of FLECS-CGD, a file a part."""
