"""The figures of FLECS-CGD, a file a figure."""
