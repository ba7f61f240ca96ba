"""Curves, injury figures and studies as tables of pandas."""

from __future__ import annotations

import pandas as pd

import manikin as mk

run = mk.run(mk.sample("sled"), until=0.03)
chest = run["chest_acceleration_resultant"].to_series()
assert chest.index.name == "time"
assert float(chest.max()) == run["chest_acceleration_resultant"].peak[1]
columns = run.table("chest_*", "head_*")
frame = pd.DataFrame(columns)
assert {"chest_acceleration_x", "head_felt_resultant"} <= set(frame.columns)
figures: pd.DataFrame = run.injury.to_frame()
print(figures.head())
