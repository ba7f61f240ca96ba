"""How modal bodies bend: finite elements of beams, sums over masses, motion of points."""
