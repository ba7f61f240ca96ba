"""Check airbags, triggers and winds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import cross
from solver.project.airbags import Airbag, MassFlowInflator, TankInflator, Vent
from solver.project.belts import ChannelTrigger, TimeTrigger
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.forms import samples
from solver.project.geometry import Hyperellipsoid
from solver.project.motions import Wind, WindTarget
from solver.project.outputs import ElementOutput, PointOutput, RotationOutput
from solver.project.pose import full_bag, panel_of, plane_corners, start_pose
from solver.project.problems import Problem


def _key(ref: Any) -> tuple[str, str]:
    return ref.segment, ref.surface


@finds(
    TOPOLOGY,
    error={
        "airbag-panel-twice": "A surface or a plane is named twice as a reaction panel.",
        "airbag-no-panel": "An airbag has neither a surface nor a plane as its panel.",
        "airbag-shape": "An airbag meets a hyperellipsoid.",
        "trigger-output": "A trigger watches an output that is no motion and no load that it can watch.",
        "trigger-component": "A trigger watches a component that its output does not have.",
        "trigger-beyond": "A trigger waits for an angle beyond those between which it is watched.",
    },
    warning={
        "airbag-touches-panel": "An airbag is to touch its own panel.",
        "airbag-touches-twice": "A surface is named twice among those that an airbag touches.",
        "airbag-touches-nothing": "An airbag touches nothing.",
        "vent-stays-idle": "A vent that is always open is told to stay open.",
    },
)
def airbags(index: Index) -> Iterator[Problem]:
    """Find airbags whose surfaces or triggers cannot be meant so."""
    outputs = index.by_id["outputs"]
    for bag, path in index.elements("airbags"):
        panels = [_key(panel) for panel in bag.panels]
        touched = [_key(surface) for surface in bag.touches]
        yield from _repeats(panels, f"{path}/panels", "airbag-panel-twice")
        yield from _repeats(touched, f"{path}/touches", "airbag-touches-twice")
        for n, name in enumerate(bag.planes):
            if name in bag.planes[:n]:
                sentence = Sentence("The plane '{name}' stands more than once.", name=name)
                yield problem("airbag-panel-twice", f"{path}/planes/{n}", sentence, "Keep one.")
        if not panels and not bag.planes:
            sentence = Sentence("No panel carries the bag.")
            hint = "Name a surface, or a plane such as a dash, that it comes out of."
            yield problem("airbag-no-panel", f"{path}/panels", sentence, hint)
        for i, key in enumerate(touched):
            if key in panels:
                sentence = Sentence(
                    "'{key}' of '{key_2}' is a reaction panel already.", key=key[1], key_2=key[0]
                )
                where = f"{path}/touches/{i}"
                yield problem("airbag-touches-panel", where, sentence, "Remove it here.")
        for field in ("panels", "touches"):
            for i, surface in enumerate(getattr(bag, field)):
                if isinstance(index.surfaces.get(_key(surface)), Hyperellipsoid):
                    sentence = Sentence(
                        "'{surface}' is a hyperellipsoid; a bag meets ellipsoids only.",
                        surface=surface.surface,
                    )
                    hint = "Use an ellipsoid here, or leave it out."
                    yield problem("airbag-shape", f"{path}/{field}/{i}", sentence, hint)
        if not touched:
            sentence = Sentence("The bag touches nothing.")
            hint = "Name the surfaces that it may press on."
            yield problem("airbag-touches-nothing", f"{path}/touches", sentence, hint)
    for trigger, path in index.of(ChannelTrigger):
        watched = outputs.get(trigger.output)
        if watched is None or isinstance(watched, PointOutput):
            continue
        if isinstance(watched, RotationOutput):
            if watched.quantity == "angle":
                yield from _watched_angle(trigger, watched, path)
        elif isinstance(watched, ElementOutput) and watched.of in _ONE_NUMBER:
            if trigger.component != "resultant":
                sentence = Sentence(
                    "'{watched}' gives one number, its {one_number}.",
                    watched=watched.id,
                    one_number=_ONE_NUMBER[watched.of],
                )
                hint = "Leave the component at 'resultant'."
                yield problem("trigger-component", f"{path}/component", sentence, hint)
        elif not isinstance(watched, ElementOutput) or watched.of != "contacts":
            sentence = Sentence(
                "'{watched}' is no motion of a point or segment, and no load of a contact, belt, harness or airbag.",
                watched=watched.id,
            )
            hint = "Watch an output of kind point or rotation, or the element of one of those."
            yield problem("trigger-output", f"{path}/output", sentence, hint)
    for vent, path in index.of(Vent):
        if vent.stays_open and vent.opens_at_pa == 0.0:
            sentence = Sentence("The vent opens at no pressure: it is always open.")
            hint = "Give the pressure at which it opens."
            yield problem("vent-stays-idle", f"{path}/stays_open", sentence, hint)


def _watched_angle(
    trigger: ChannelTrigger, watched: RotationOutput, path: str
) -> Iterator[Problem]:
    """Look at a trigger that watches an angle, which it sees as it stands, not followed on."""
    if watched.angles == "about_axis":
        sentence = Sentence(
            "'{watched}' counts on about an axis, which a trigger cannot watch.", watched=watched.id
        )
        hint = "Watch one of yaw, pitch and roll, or of precession, nutation and spin."
        yield problem("trigger-output", f"{path}/output", sentence, hint)
    elif trigger.component == "resultant":
        sentence = Sentence(
            "'{watched}' gives angles, which have no resultant.", watched=watched.id
        )
        hint = "Name the first, second or third angle: x, y or z."
        yield problem("trigger-component", f"{path}/component", sentence, hint)
    else:
        low, high = -math.pi, math.pi
        if trigger.component == "y":
            euler = watched.angles == "euler"
            low, high = (0.0, math.pi) if euler else (-0.5 * math.pi, 0.5 * math.pi)
        if not low < trigger.level < high:
            sentence = Sentence(
                "The angle is watched as it stands, between {degrees:g} and {degrees_2:g} degrees: {degrees_3:g} is never passed.",
                degrees=math.degrees(low),
                degrees_2=math.degrees(high),
                degrees_3=math.degrees(trigger.level),
            )
            hint = (
                "Levels of angles are in rad. Watch nutation where a pitch would pass 90 degrees."
            )
            yield problem("trigger-beyond", f"{path}/level", sentence, hint)


_ONE_NUMBER = {"belts": "largest tension", "harnesses": "largest tension", "airbags": "pressure"}
"""What a trigger watches of an element without components."""


def _repeats(keys: list[tuple[str, str]], path: str, code: str) -> Iterator[Problem]:
    counts = Counter(keys)
    for i, key in enumerate(keys):
        if counts[key] > 1:
            counts[key] = 0
            sentence = Sentence(
                "'{key}' of '{key_2}' stands more than once.", key=key[1], key_2=key[0]
            )
            yield problem(code, f"{path}/{i}", sentence, "Keep one.")


@finds(
    PHYSICS,
    error={"airbag-pressure": "A tank holds no more pressure than the air outside."},
    warning={
        "airbag-behind": "An airbag stands behind a plane that is to hold it.",
        "airbag-sealed": "An airbag has no vent and no leakage.",
        "airbag-never-full": "An inflator has too little gas to fill its bag.",
        "trigger-late": "Something fires only after the run has ended.",
    },
)
def airbag_gas(index: Index) -> Iterator[Problem]:
    """Find airbags that cannot fill, empty or fire."""
    for bag, path in index.elements("airbags"):
        yield from _behind(index, bag, path)
        if not bag.vents and bag.leakage is None:
            sentence = Sentence("Gas cannot leave the bag: it throws back what it catches.")
            yield problem("airbag-sealed", f"{path}/vents", sentence, "Add a vent or leakage.")
        tank = bag.inflator
        full_m3 = 4.0 / 3.0 * math.pi * math.prod(bag.semi_axes_m)
        if not isinstance(tank, TankInflator):
            gas_m3 = _blown(index, bag)
            if gas_m3 is not None and gas_m3 < full_m3:
                yield _too_little(Sentence("The inflator"), gas_m3, full_m3, path)
            continue
        if tank.pressure_pa <= bag.ambient_pressure_pa:
            sentence = Sentence(
                "The tank holds {pressure_pa:.4g} kPa, the air outside {ambient_pressure_pa:.4g} kPa.",
                pressure_pa=tank.pressure_pa / 1e3,
                ambient_pressure_pa=bag.ambient_pressure_pa / 1e3,
            )
            hint = "Pressures are absolute, in Pa."
            yield problem("airbag-pressure", f"{path}/inflator/pressure_pa", sentence, hint)
            continue
        gas_m3 = tank.volume_m3 * tank.pressure_pa / (bag.gas.heat_ratio * bag.ambient_pressure_pa)
        if gas_m3 < full_m3:
            yield _too_little(Sentence("The tank"), gas_m3, full_m3, path)
    for trigger, path in index.of(TimeTrigger):
        end = index.longest_run_s
        if end is not None and trigger.time_s >= end:
            sentence = Sentence(
                "It fires at {time_s:g} s; the longest run ends at {end:g} s.",
                time_s=trigger.time_s,
                end=end,
            )
            yield problem("trigger-late", f"{path}/time_s", sentence, "Times are in seconds.")


def _behind(index: Index, bag: Airbag, path: str) -> Iterator[Problem]:
    """Find planes that the full bag is to stand behind."""
    panel, full = panel_of(bag, index.project), full_bag(bag, index.project)
    if not bag.planes or panel is None or full is None:
        return
    pose = start_pose(index.project)
    middle = pose[panel.segment].of(full.p_W)
    for i, plane in enumerate(
        p for name in bag.planes for p in index.project.planes if p.id == name
    ):
        corner, one, two = plane_corners(plane)
        at = pose[plane.segment]
        if float((middle - at.of(corner)) @ at.R_WS @ cross(one, two)) < 0.0:
            sentence = Sentence(
                "The middle of the full bag lies behind '{plane}', whose front alone holds it.",
                plane=plane.id,
            )
            hint = "Turn the bag, whose -x leads out of its panel, or turn the plane's front to it."
            yield problem("airbag-behind", f"{path}/planes/{i}", sentence, hint)


def _too_little(what: Sentence, gas_m3: float, full_m3: float, path: str) -> Problem:
    sentence = Sentence(
        "{what} fills {gas_m3:.3g} litres at the pressure outside, the bag has {full_m3:.3g}.",
        what=what,
        gas_m3=gas_m3 * 1e3,
        full_m3=full_m3 * 1e3,
    )
    hint = "Give more gas; until it is full the bag does not push."
    return problem("airbag-never-full", f"{path}/inflator", sentence, hint)


def _blown(index: Index, bag: Airbag) -> float | None:
    """The volume that a measured inflator's gas fills at ambient pressure, where it ends."""
    flow = bag.inflator
    assert isinstance(flow, MassFlowInflator)
    t, rate = samples(index.functions[flow.flow].form)
    at, heat = np.zeros(1), np.array([flow.temperature])
    if isinstance(flow.temperature, str):
        at, heat = samples(index.functions[flow.temperature].form)
    if t.size == 0 or at.size == 0 or rate[-1] > 0.0 or np.min(rate) < 0.0:
        return None
    age = np.unique(np.concatenate([[0.0], t[t > 0.0], at[at > 0.0]]))
    volume = np.trapezoid(np.interp(age, t, rate) * np.interp(age, at, heat), age)
    return float(volume * bag.gas.gas_constant_j_per_kgk / bag.ambient_pressure_pa)


@finds(
    TOPOLOGY,
    error={
        "wind-ignored": "A wind has a setting that belongs to the other kind.",
        "wind-own-shield": "A surface is to shield itself from the wind.",
        "wind-shape": "A wind is to blow on, or be shielded by, a hyperellipsoid.",
        "wind-shields-ignored": "Shields are given for a surface that is taken whole.",
    },
    warning={
        "wind-none": "A wind has no pressure.",
        "wind-target-twice": "A wind blows on the same surface twice.",
    },
)
def winds(index: Index) -> Iterator[Problem]:
    """Find winds with settings that have no effect."""
    defaults = {name: field.default for name, field in Wind.model_fields.items()}
    pressures = ("pressure_x", "pressure_y", "pressure_z")
    belongs = {
        "speed": pressures,
        "pressure": ("air_velocity_m_per_s", "air_density_kg_per_m3", "drag"),
    }
    for wind, path in index.elements("winds"):
        for field in belongs[wind.kind]:
            if getattr(wind, field) != defaults[field]:
                other = "pressure" if wind.kind == "speed" else "speed"
                sentence = Sentence(
                    "'{field}' has no effect on a wind of kind '{wind_kind}'.",
                    field=field,
                    wind_kind=wind.kind,
                )
                hint = Sentence("Remove it, or choose kind '{other}'.", other=other)
                yield problem("wind-ignored", f"{path}/{field}", sentence, hint)
        if wind.kind == "pressure" and all(getattr(wind, name) == 0.0 for name in pressures):
            sentence = Sentence("All three pressures are zero.")
            hint = Sentence("Give a pressure or a function of time.")
            yield problem("wind-none", f"{path}/pressure_x", sentence, hint)
        keys = [_key(target.surface) for target in wind.targets]
        yield from _repeats(keys, f"{path}/targets", "wind-target-twice")
    for target, path in index.of(WindTarget):
        if target.method == "whole" and target.shields:
            sentence = Sentence("With method 'whole' nothing is shielded.")
            hint = Sentence("Choose method 'outline', or remove the shields.")
            yield problem("wind-shields-ignored", f"{path}/shields", sentence, hint)
        refs = {"surface": target.surface}
        refs |= {f"shields/{i}": shield for i, shield in enumerate(target.shields)}
        for field, ref in refs.items():
            found = index.surfaces.get(_key(ref))
            if isinstance(found, Hyperellipsoid):
                sentence = Sentence(
                    "'{surface}' is a hyperellipsoid; the outline in a wind is an ellipsoid's.",
                    surface=ref.surface,
                )
                hint = Sentence("Give the segment an ellipsoid of the same size for the wind.")
                yield problem("wind-shape", f"{path}/{field}", sentence, hint)
        for i, shield in enumerate(target.shields):
            if _key(shield) == _key(target.surface):
                sentence = Sentence("'{surface}' cannot shield itself.", surface=shield.surface)
                yield problem("wind-own-shield", f"{path}/shields/{i}", sentence, "Remove it.")
