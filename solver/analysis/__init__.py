"""What else is asked of a model and of its motion: rest, small motions, loads, tracks, what acts."""
