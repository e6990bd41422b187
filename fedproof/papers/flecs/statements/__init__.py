"""The statements of flecs."""
