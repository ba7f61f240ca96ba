"""Both Hansens' syntheses (seed 001, pages 423 to 454), all inverse poses of Agrawal's robot (pages 279 to 298), and Dias' trend."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import manikin as mk
from validation.case import Case

SIDE = 1.0 / 15.0
"""Mean way (m) from the first point to the others: lengths and places are drawn within multiples of it, as printed (page 429)."""


def cases() -> Iterator[Case]:
    """All cases."""
    told = mk.study(four_points()).answers["synthesis"]
    yield Case("Four-bar linkage through four points", "001, p. 430; at least 16 of 20",
               "starts that pass them", 20.0, float(told["passed"]), 4.0)  # fmt: skip
    found = mk.study(slider_crank())
    yield Case("Spatial slider crank along a line", "001, p. 449: about 1 mm", "mean distance",
               0.0, float(found.rows.outputs[0, 0]), 1e-3, "m")  # fmt: skip
    poses = agrawals_poses()
    yield Case("Free-floating robot of closed chains", "001, figure 3", "inverse poses",
               4.0, float(len(poses.poses)), 0.0)  # fmt: skip
    yield from front_cases()


LIMITS = {"relaxed": (1.15, -12.0), "free": (1.6, -48.0), "tight": (0.65, 58.0)}
"""Limits of the crush in parts of that of the first design, chosen by us as those of the seed cannot be read; printed changes (%)."""


def front_cases() -> Iterator[Case]:
    """Dias and Pereira, Table 1: with more crush allowed the best design is softer, with less it is harder."""
    title = "Crash front, its folds designed for a limit of crush"
    source = "001, Table 1; frame and limits ours: its trend alone"
    model, over, bound = mk.sample("crash_front"), 0.0, 0.0
    first = mk.run(model)["segments/car/position/x"].value.max()
    for name, (part, printed) in LIMITS.items():
        found = mk.study(front(model, part * first), workers=0)
        at, begun = found.answers["optimum"]["responses"], float(found.table["severity"][0])
        change = 100.0 * (at["severity"] / begun - 1.0)
        yield Case(title, source, f"change of severity, {name} limit", printed, change, 0.6 * abs(printed), "%")  # fmt: skip
        over = max(over, at["crush"] - part * first)
        bound = max(bound, 4.0 * 7.0**2 / (9.0 * at["crush"]) / at["severity"])
    yield Case(title, "kept by the search", "crush beyond its limit", 0.0, over, 1e-3, "m")
    yield Case(title, "closed form: a deceleration that falls evenly to nought in 3 d/v has least severity", "4 v^2 / 9 d by the severity", 0.0, bound, 1.0)  # fmt: skip


def front(model: mk.Model, limit: float) -> mk.Model:
    """Give the crash front the search for the strength of its folds that makes its severity least within a limit of crush (m)."""
    folds = _varied("strength", "functions/fold/form/y", 0.6, 2.0) | {"is_factor": True}
    responses: Any = [
        {"kind": "channel", "id": "severity", "quantity": "segments/car/acceleration/x", "take": "severity", "goal": "minimise"},
        {"kind": "channel", "id": "crush", "quantity": "segments/car/position/x", "take": "max", "at_most": limit},
    ]  # fmt: skip
    return model.add_study(
        "front", kind="optimum", start_runs=1, most_runs=14, tolerance=1e-2, parameters=[folds], responses=responses,
    )  # fmt: skip


def floating_robot() -> mk.Model:
    """Agrawal's robot on its air bearings (Table 1, as far as the scan is read), its base turned by 60 degrees."""
    inch, pound = 0.0254, 0.45359237
    model = mk.new("Free-floating robot").add_segment(
        "base", mass_kg=56.0 * pound, inertia_kgm2=(1.0, 1.0, 1.0)
    )
    for chain, along in (("a", -6.0), ("b", 6.0)):
        for n, mass in ((1, 4.75), (2, 1.63)):
            model = model.add_segment(
                f"{chain}{n}", mass_kg=mass * pound, inertia_kgm2=(0.1, 0.1, 0.1)
            )
        model = model.add_joint(f"{chain}_1", kind="pin", parent="base", child=f"{chain}1", parent_frame={"position_m": (along * inch, 0.0, 0.0)}, child_frame={"position_m": (-3.3 * inch, 0.0, 0.0)})  # fmt: skip
        model = model.add_joint(f"{chain}_2", kind="pin", parent=f"{chain}1", child=f"{chain}2", parent_frame={"position_m": (8.7 * inch, 0.0, 0.0)}, child_frame={"position_m": (-3.45 * inch, 0.0, 0.0)})  # fmt: skip
    model = model.add_segment("hand", mass_kg=2.0 * pound, inertia_kgm2=(0.1, 0.1, 0.1))
    model = model.add_joint("a_3", kind="pin", parent="a2", child="hand", parent_frame={"position_m": (8.55 * inch, 0.0, 0.0)}, child_frame={"position_m": (-12.0 * inch, 0.0, 0.0)})  # fmt: skip
    cone = math.radians(60.0)
    other = (-12.0 * inch * math.cos(cone), 0.0, 12.0 * inch * math.sin(cone))
    model = model.add_constraint("loop", kind="zero_distance", a={"segment": "b2", "position_m": (8.55 * inch, 0.0, 0.0)}, b={"segment": "hand", "position_m": other})  # fmt: skip
    return model.start_attitude("base", orientation={"angles_rad": (0.0, cone, 0.0)})


def agrawals_poses(starts: int = 128) -> mk.InversePoses:
    """All poses with the hand at (-15, -12) inches, turned by 150 degrees, the mass centre where it is by itself."""
    inch = 0.0254
    return mk.inverse_poses(
        floating_robot(), [("hand", (-15.0 * inch, 0.0, 12.0 * inch))], {"hand": (0.0, math.radians(150.0), 0.0)},
        hold=("base.y", "base.yaw", "base.pitch", "base.roll"), centre_m=(0.0, 0.0, 0.0),
        starts=starts,
    )  # fmt: skip


def _varied(name: str, path: str, low: float, high: float) -> dict[str, Any]:
    return {"id": name, "path": path, "spread": {"kind": "uniform", "low": low, "high": high}}


def four_points(starts: int = 20) -> mk.Model:
    """M. R. Hansen's four points, with the crank turned by 80 to 100, 170 to 190 and 260 to 280 degrees."""
    model = mk.sample("four_bar").add_marker("tip", segment="coupler", point_m=(0.0, 0.0, 0.0))
    far, least, most = 3.0 * SIDE, 0.1 * SIDE, 4.0 * SIDE
    pins = [
        _varied(f"{axis}{n}", f"joints/{joint}/parent_frame/position_m/{k}", -far, far)
        for n, joint in ((1, "crank_pin"), (4, "output_pin"))
        for k, axis in ((0, "x"), (2, "z"))
    ]
    lengths = [
        _varied("crank", "joints/coupler_pin/parent_frame/position_m/0", -0.055 + least, -0.055 + most),
        _varied("coupler", "constraints/closure/a/position_m/0", -0.2 + least, -0.2 + most),
        _varied("output", "constraints/closure/b/position_m/0", -0.1875 + least, -0.1875 + most),
    ]  # fmt: skip
    tip = [_varied(axis, f"markers/tip/point_m/{k}", -far, far) for k, axis in ((0, "u"), (2, "v"))]
    # what turns to the left about y goes from x to -z
    places: Any = ((0.0, 0.0, 0.0), (0.075, 0.0, 0.0), (0.075, 0.0, -0.05), (0.0, 0.0, -0.05))
    turns = [
        {"low_rad": math.radians(low), "high_rad": math.radians(low + 20.0)}
        for low in (80.0, 170.0, 260.0)
    ]
    along: Any = {"kind": "points", "points_m": places, "turns": turns}
    varied: Any = [*pins, *lengths, *tip]
    return model.add_study(
        "four", kind="synthesis", marker="tip", crank="crank_pin", starts=starts,
        along=along, parameters=varied,
    )  # fmt: skip


def slider_crank() -> mk.Model:
    """J. M. Hansen's first example in his first design: ten dimensions, where the crank begins, and how far it turns.

    His figure is not in the text: the slider goes along x, ahead of the crank; the coupler turns by a universal joint in it.
    """
    model = mk.new("Spatial slider crank")
    for name in ("slider", "coupler", "crank"):
        model = model.add_segment(name, mass_kg=1.0, inertia_kgm2=(0.01, 0.01, 0.01))
    along: Any = {"orientation": {"order": "xyz", "angles_rad": (0.0, math.pi / 2, 0.0)}}
    upright: Any = {"orientation": {"order": "xyz", "angles_rad": (math.pi / 2, 0.0, 0.0)}}
    model = model.add_joint("slide", kind="slip", parent="ground", child="slider", parent_frame=along, child_frame=along)  # fmt: skip
    model = model.add_joint("universal", kind="universal", parent="slider", child="coupler", child_frame={"position_m": (0.3, 0.0, 0.0)})  # fmt: skip
    model = model.add_joint("crank", kind="pin", parent="ground", child="crank", parent_frame={"position_m": (0.0, 0.12, 0.10)} | upright, child_frame=upright)  # fmt: skip
    model = model.add_constraint("closure", kind="zero_distance", a={"segment": "coupler"}, b={"segment": "crank", "position_m": (0.1, 0.0, 0.0)})  # fmt: skip
    model = model.start_joint("slide", [0.36]).add_marker(
        "tip", segment="coupler", point_m=(0.05, 0.05, 0.05)
    )
    model = model.assembled(hold=["crank"])
    frame = "joints/crank/parent_frame"
    varied: Any = [
        _varied("coupler", "joints/universal/child_frame/position_m/0", 0.1, 0.6),
        _varied("crank", "constraints/closure/b/position_m/0", 0.02, 0.3),
        *(_varied(f"pin_{axis}", f"{frame}/position_m/{k}", -0.5, 0.5) for k, axis in enumerate("xyz")),
        *(_varied(f"axis_{k}", f"{frame}/orientation/angles_rad/{k}", -4.0, 4.0) for k in range(2)),
        *(_varied(f"tip_{axis}", f"markers/tip/point_m/{k}", -0.5, 0.5) for k, axis in enumerate("xyz")),
    ]  # fmt: skip
    line = [(-0.05 - 0.1 * k / 9.0, 0.2, -0.1) for k in range(10)]
    path: Any = {
        "kind": "path",
        "points_m": line,
        "begin_rad": 0.1 * math.pi,
        "sweep_rad": 0.6 * math.pi,
        "steps": 4,
    }
    return model.add_study(
        "line", kind="synthesis", marker="tip", crank="crank", starts=1, parameters=varied, along=path,
    )  # fmt: skip
