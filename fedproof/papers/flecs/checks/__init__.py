"""The checks of FLECS-CGD in practice, a file a comparison."""
