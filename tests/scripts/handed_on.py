"""A run is handed on: tables for other programs, a test of ISO-MME that is rated, another program's model."""

from __future__ import annotations

from pathlib import Path

import manikin as mk

model = mk.sample("double_pendulum")
run = mk.run(model, until=0.1)
table: Path = run.write_csv("lower.csv", "segments/lower/velocity/*", units="mm,t,s")
print(table.read_text().splitlines()[0], run.printed("energy/kinetic", every_s=0.02))
workbook = run.write_excel("run.xlsx")
codes = run.write_mme("test", "elbow_angle*")
(test,) = mk.read_test("test")
rating = run["elbow_angle_angle"].rated(test)
assert rating.whole > 0.999, rating.grade
longer = mk.run(model, until=0.2, after=run)
figure = mk.plot({"short": run, "long": longer}, "elbow_angle*", peaks=True)
print(figure)
lost: tuple[str, ...] = mk.write_model(model, "pendulum.xml")
back = mk.read_model("pendulum.xml")
assert len(back.model.project.joints) == 2, back.report
try:
    run.film("pendulum.avi")
except mk.DrawError as refused:
    print(refused, lost, codes, workbook)
