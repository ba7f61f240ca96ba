"""Rotations, sections of bodies, taut strings and curves: arrays in, arrays out, no knowledge of the document."""
