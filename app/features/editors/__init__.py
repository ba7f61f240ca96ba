"""Editors for what reads better as a curve, a matrix or a sphere than as a form."""
