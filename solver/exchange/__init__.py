"""Models of other programs: how they are read and written, and what became of every part of them."""
