"""Trees of rigid bodies in files of robotics programs: MJCF (MuJoCo), URDF and OpenSim (docs/exchange.md).

`bodies` are what all files are read to, `taking` makes a project of them, `ties` of what holds them to each other beside the tree, and both back with `files`; `mjcf` (with `mjcf_out` for the way back) and
`urdf` read and write the files, `osim` reads them, with `osim_ties` for its functions and constraints. `xml` parses without entities and without a look at any other file.
"""

from solver.exchange.trees.bodies import Touching
from solver.exchange.trees.files import ReadTree, is_marker_set, read_tree, write_tree
from solver.exchange.trees.xml import BeyondFolder, TreeError

__all__ = [
    "BeyondFolder",
    "ReadTree",
    "Touching",
    "TreeError",
    "is_marker_set",
    "read_tree",
    "write_tree",
]
