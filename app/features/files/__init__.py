"""New, open, save; the welcome, and the page of a file that cannot be read."""
