"""Small motions: modes of a model or a run, animated in the scene."""
