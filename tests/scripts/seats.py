"""A man and a woman in two seats, belted, at rest; a limb posed, mirrored, and a strap laid by hand."""

from __future__ import annotations

import warnings

import manikin as mk

car = mk.new("Two seats", 0.02).insert("car_seat", "seat")
posed = car.seat("hybrid_iii_50m", "driver").insert("lap_belt", "driver", on="driver")
posed = posed.pose_joint("driver_left_elbow", [0.9]).mirror("segments/driver_left_forearm")
left, right = (posed.joint_at_start(f"driver_{side}_elbow")[0] for side in ("left", "right"))
assert abs(left - right) < 1e-6
in_plane = [f"driver_lower_torso.{way}" for way in ("y", "roll", "yaw")]
found = posed.settle(hold=in_plane, lock=True)
assert found.balanced, found.reason
print(found.moved_m, found.health.worst_g, [stop.joint for stop in found.health.stops])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    two = found.model.copy_to_next_seat("driver")
names = [one.prefix for one in two.people]
assert names == ["driver", "passenger"]
alone = two.without_body("passenger")
assert [one.prefix for one in alone.people] == ["driver"]
hips = alone.people[0].root
anchors = [(hips, (-0.3, side, 0.1)) for side in (-0.3, 0.3)]
route = alone.route(anchors[0], anchors[1], [f"{hips}.body"])
assert route.length_m > 0.6
strapped = alone.add_strap(("ground", (-0.3, -0.3, 0.1)), ("ground", (-0.3, 0.3, 0.1)))
assert len(strapped.project.harnesses) == 2
assert mk.run(strapped).status == "completed"
