"""Data of bodies that bend by shape functions: from beams, and from matrices of other programs."""
