"""Rotations, ellipsoids and curves: arrays in, arrays out, no knowledge of the document."""
