"""A study: masses on a grid, their table, the answer, the file."""

from __future__ import annotations

import manikin as mk
from manikin.schema import ChannelResponse, StudyParameter

mass = StudyParameter(
    id="mass",
    path="segments/lower/mass_kg",
    spread={"kind": "uniform", "low": 1.0, "high": 3.0},
)
speed = ChannelResponse(
    kind="channel",
    id="speed",
    quantity="segments/lower/velocity/resultant",
    take="max",
    at_most=5.0,
)
model = (
    mk.sample("double_pendulum")
    .until(0.1)
    .add_study("masses", kind="grid", levels=3, parameters=[mass], responses=[speed])
)
found = mk.study(model, path="masses.h5", workers=0)
assert found.status == "completed"
assert found.table["mass"].tolist() == [1.0, 2.0, 3.0]
speeds = found.answers["responses"]["speed"]
assert speeds["least"] <= speeds["mean"] <= speeds["largest"]
assert speeds["limit"]["kept"] == found.answers["kept"] == 3
assert mk.open_study("masses.h5").table.equals(found.table)
