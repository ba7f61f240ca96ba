"""The panels around the scene: outline, inspector, problems, and the pages before it."""
