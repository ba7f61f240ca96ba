"""A deck of ATB is read, its report looked at, changed and written again."""

from __future__ import annotations

import manikin as mk

read = mk.read_ain(mk.data_file("decks/sled.ain"), settle=False)
assert read.report
for note in read.lost:
    print(note)
heavy = read.model.with_values({
    f"segments/{one.id}/mass_kg": 1.1 * one.mass_kg
    for one in read.model.project.segments
    if one.id != "vehicle"
})  # fmt: skip
left_out: tuple[str, ...] = mk.write_ain(heavy, "heavy.lin")
again = mk.read_ain("heavy.lin", settle=False).model
for one, other in zip(heavy.project.segments, again.project.segments, strict=True):
    assert abs(one.mass_kg - other.mass_kg) < 1e-9 * max(1.0, one.mass_kg)
print(left_out)
