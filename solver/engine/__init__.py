"""The engine: compiled functions on arrays, which know no project."""
