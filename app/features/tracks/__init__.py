"""Tracks of markers beside the model: seen, laid over, and led along."""
