"""A crash of one of the load cases, with parts of the library."""

from __future__ import annotations

import manikin as mk

model = mk.crash("frontal", who="hybrid_iii_5f", belt="three_point_left").until(0.02)
assert model.project.load_case == "frontal"
for entry in mk.library("belts"):
    print(entry.id, entry.name, entry.source)
run = mk.run(model)
assert run.status == "completed"
