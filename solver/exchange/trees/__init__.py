"""Trees of rigid bodies in files of robotics programs: MJCF (MuJoCo), URDF and OpenSim (docs/exchange.md).

`body` is what both say, `taking` makes a project of it and `giving` makes it of a project; `mjcf` and `urdf` read and
write the files, each both ways, `osim` reads them; `linking` puts in what joins bodies beside the tree. `xml` parses without entities and without a look at any other file.
"""

from solver.exchange.trees.files import ReadTree, read_tree, write_tree
from solver.exchange.trees.xml import TreeError

__all__ = ["ReadTree", "TreeError", "read_tree", "write_tree"]
