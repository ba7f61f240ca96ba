"""Meshes of files (STL, OBJ, glTF), and ellipsoids and hyperellipsoids that are fitted to them."""

from solver.exchange.shapes.fitting import Fitted, fit, fitted_to, with_mesh
from solver.exchange.shapes.reading import ENDINGS, MeshError, read_mesh
from solver.exchange.shapes.writing import write_stl

__all__ = [
    "ENDINGS",
    "Fitted",
    "MeshError",
    "fit",
    "fitted_to",
    "read_mesh",
    "with_mesh",
    "write_stl",
]
