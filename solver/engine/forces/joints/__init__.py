"""Torques in joints: springs with stops, friction, contours (section 6)."""
