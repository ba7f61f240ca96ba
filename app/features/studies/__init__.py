"""Studies: many runs, and the question that they answer."""
