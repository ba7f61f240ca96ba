"""A person to measure is put onto a floor, in a posture, and comes to rest."""

from __future__ import annotations

import manikin as mk

print(mk.bodies(), sorted(mk.postures()))
woman = mk.posed(mk.person("female", percentile=50), "standing")
model = mk.new("Standing", 0.05).add_body(woman, "woman", anchor="lowest")
health = model.health()
mass = sum(one.mass_kg for one in model.project.segments)
assert abs(mass - woman.mass_kg) < 1e-6
print(health.verdict)
