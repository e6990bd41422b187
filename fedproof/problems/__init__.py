"""What methods run on: instances with known constants, models over data, splits and readers."""
