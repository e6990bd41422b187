"""The line and the plane cut where the truth of a condition can change."""
