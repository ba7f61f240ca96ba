"""A model's trees go to MuJoCo's file and back."""

from __future__ import annotations

import manikin as mk

model = mk.sample("double_pendulum")
notes = mk.write_tree(model, "pendulum.xml")
found = mk.read_tree("pendulum.xml")
masses = {one.id: one.mass_kg for one in found.model.project.segments}
assert masses == {one.id: one.mass_kg for one in model.project.segments}
print(notes, found.notes)
