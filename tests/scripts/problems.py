"""What is wrong with a model is data: place, sentence, hint."""

from __future__ import annotations

import manikin as mk

model = mk.sample("double_pendulum").with_value("joints/hinge/child", "uper")
(problem,) = [one for one in model.problems if one.severity == "error"]
assert (problem.path, problem.code) == ("joints/hinge/child", "unknown-segment")
assert problem.hint == "Did you mean 'upper'?"
try:
    model.with_value("segments/lower/mass_kg", -1.0)
except mk.ProjectError as refused:
    assert refused.problems[0].path == "segments/lower/mass_kg"
else:
    raise AssertionError
mended = model.with_value(problem.path, "upper")
assert not mended.problems
mass = mended.value("segments/lower/mass_kg", float)
assert 2.0 * mass > mass
