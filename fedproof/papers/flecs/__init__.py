"""FLECS-CGD, sketched second-order steps with compressed gradient differences: Agafonov et al. (2022)."""
