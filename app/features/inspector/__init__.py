"""The form of the selected element."""
