"""From where the scene is seen, and what of it is visible."""
