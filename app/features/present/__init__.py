"""Present a run to others."""
