"""Changes of a whole project as plain functions: people seated, copied, mirrored and taken away, straps laid."""
