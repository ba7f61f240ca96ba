"""Write a run as one page that plays in any browser: the scene to turn, curves, what happened, injury figures."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from app.features.export.changing import Solid, normals_of
from app.features.export.moving import Moving, Strip, Worn, worn_by
from app.scene.lens import FIELD_RAD, OrbitCamera
from solver.base.atomic import write_atomic
from solver.base.places import __version__
from solver.base.units import convert, display_unit
from solver.base.words import tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.pose import Placed
from solver.report.explaining import happenings
from solver.report.gather import Subject
from solver.report.html_page import STYLE, policy, table_html
from solver.report.injury_table import injury_table
from solver.report.panels import panels
from solver.results.trajectory import Trajectory
from solver.scene.meshes import Indices
from solver.scene.people.build import Person, people
from solver.scene.people.skin import Skin, tears_of
from solver.scene.tones import rgb

LIFT_M = 0.012
"""How far webbing is laid above clothes."""
SPEEDS = (1.0, 0.2, 0.1, 0.05, 0.02, 0.01)
"""Seconds of the run that last one second, to choose from."""
_HERE = Path(__file__).parent


def write_page(
    project: Project,
    run: Trajectory,
    scene: Moving,
    file: Path,
    *,
    speed: float,
    units: str = "metric",
    label: str = "",
    standards: Sequence[str] = (),
) -> None:
    """Write the page; OSError if it cannot be."""
    subject = Subject(run, label, standards)
    title = project.title or subject.label
    data = _data(project, scene, subject, units, speed)
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    style = STYLE + (_HERE / "page.css").read_text(encoding="utf-8")
    # what stands in a script must not end it
    inside = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    figures = injury_table([subject])
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="en"><head><meta charset="utf-8"/>{policy(script)}<title>{escape(title)}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
        f"<style>{style}</style></head><body><main>",
        f'<h1>{escape(title)}</h1><p class="sub">{escape(subject.label)}</p>',
        *_stage(
            speed,
            is_keyed=scene.looks is not None and scene.side is None,
            is_directed=scene.side is not None,
        ),
        '<div class="curves" id="curves"></div>',
        table_html(figures) if figures.rows else "",
        f'<p class="notes">{escape(_foot(subject))}</p></main>',
        f'<script type="application/json" id="data">{inside}</script>',
        f"<script>{script}</script></body></html>",
    ]
    write_atomic(file, "\n".join(lines))


def _stage(speed: float, *, is_keyed: bool, is_directed: bool) -> Iterator[str]:
    views = (
        *([("keyed", tr("Keyed cameras"))] if is_keyed else []), *([("best", tr("Across the motion"))] if is_directed else []),
        ("three", tr("From ahead and right")), ("side", tr("From the right")), ("front", tr("From ahead")), ("above", tr("From above")),
    )  # fmt: skip
    yield '<div class="whole"><div class="stage" id="stage">'
    yield f'<canvas id="scene" role="img" aria-label="{escape(tr("The scene; drag to turn it, with Shift to move it, the wheel zooms"))}"></canvas>'
    yield '<div class="caption" id="caption" aria-live="polite"></div><div class="clock" id="clock"></div>'
    yield f'<div class="controls"><button id="play" type="button">{escape(tr("Play"))}</button>'
    yield f'<div class="track" id="track"><input type="range" id="time" aria-label="{escape(tr("Time"))}"/></div>'
    yield f'<select id="speed" aria-label="{escape(tr("Speed"))}">'
    for one in sorted({*SPEEDS, speed}, reverse=True):
        yield f'<option value="{one:g}">{escape(tr("{n:g} times slower", n=1.0 / one) if one != 1.0 else tr("real time"))}</option>'
    yield f'</select><label><input type="checkbox" id="stops"/> {escape(tr("Stop at marks"))}</label>'
    yield f'<select id="view" aria-label="{escape(tr("View"))}">'
    for value, words in views:
        yield f'<option value="{value}">{escape(words)}</option>'
    yield f'</select><button id="wide" type="button">{escape(tr("Full screen"))}</button></div></div>'
    yield f'<div class="happened" id="happened"><h2>{escape(tr("What happened"))}</h2></div></div>'


def _foot(s: Subject) -> str:
    keys = tr("Space plays; arrows go from frame to frame, with Shift from mark to mark; 1 to 4 are views; F is full screen.")  # fmt: skip
    made = tr("{label}, solved {when}; written by Manikin {version}.", label=s.label, when=s.facts.created_utc.replace("T", " "), version=__version__)  # fmt: skip
    return f"{keys} {made}"


def _data(project: Project, scene: Moving, s: Subject, units: str, speed: float) -> dict[str, Any]:
    dressed = [
        person for person in people(project) if all(one in scene.poses for one in person.segments)
    ]
    found, scene = worn_by(project, scene)
    middle, size = _around(scene, dressed)
    clock = convert(1.0, "s", display_unit("s", units))
    looks = scene.looks if scene.side is None else None
    return {
        "words": {
            "play": tr("Play"), "pause": tr("Pause"),
            "no3d": tr("This browser shows no 3D (WebGL is off); curves and slider work."),
        },
        "speed": speed,
        "times": _floats(scene.times),
        "up": scene.up.tolist(),
        "ahead": OrbitCamera(scene.up).ahead.tolist(),
        # a browser counts the angle from the side
        "best": None if scene.side is None else [0.5 * math.pi - scene.side[0], scene.side[1]],
        "half_angle": 0.5 * FIELD_RAD,
        "keyed": None if looks is None else {
            "times": _floats(looks.times), "targets": _floats(looks.targets), "axes": _floats(looks.axes),
            "distances": _floats(looks.distances), "parallel": looks.parallel.astype(int).tolist(),
        },
        "middle": middle.tolist(),
        "size": size,
        "meshes": [*(_person(scene, *one) for one in zip(dressed, found, strict=True)), *map(_mesh, scene.solids)],
        "strips": [_strip(one) for one in scene.strips],
        "marks": [
            {"time": one.time, "when": f"{1e3 * one.time:.0f} ms", "words": one.words}
            for one in happenings(s, units)
        ],
        "panels": [
            {
                "title": panel.title, "x_label": panel.x_label, "per_second": clock,
                "curves": [
                    {"label": one.label, "unit": one.unit, "x": _floats(one.x), "y": _floats(one.y)}
                    for one in panel.curves
                ],
            }
            for panel in panels([s], units)
        ],
    }  # fmt: skip


def _around(scene: Moving, dressed: Sequence[Person]) -> tuple[Array, float]:
    """The middle and the size of what is looked at: people, or else all that is solid, over the run."""
    names = {segment for person in dressed for segment in person.segments}
    places = [scene.poses[name][1] for name in names]
    if not places:
        places = [one.places for one in scene.solids if one.opacity == 1.0] or [np.zeros((1, 3))]
    points = np.concatenate(places)
    low, high = points.min(axis=0), points.max(axis=0)
    return 0.5 * (low + high), max(float(np.linalg.norm(high - low)), 0.5)


def _moves(turns: Array, places: Array) -> Array:
    """Rows of matrices (T, n, 3, 4)."""
    return np.concatenate([turns, places[..., None]], axis=-1)


def _mesh(solid: Solid) -> dict[str, Any]:
    mesh = solid.mesh
    normals = normals_of(mesh.points, mesh.faces) if mesh.normals is None else mesh.normals
    turns, phases = solid.turns * solid.stretches[:, None, :], solid.phases
    shades = None if mesh.shade is None else _floats(np.asarray(mesh.shade)[:, None] * rgb(solid.tone))  # fmt: skip
    return {
        "name": solid.name, "opacity": solid.opacity, "bones": 1, "tone": list(rgb(solid.tone)),
        "points": _floats(mesh.points), "normals": _floats(normals), "faces": _wholes(mesh.faces),
        "moves": _floats(_moves(turns, solid.places)), "sided": solid.one_sided, "colours": shades,
        "shown": None if solid.shown is None else solid.shown.astype(int).tolist(),
        "phases": None if phases is None else {
            "rows": phases.rows.tolist(), "points": _floats(phases.points), "normals": _floats(phases.normals),
        },
    }  # fmt: skip


def _person(scene: Moving, person: Person, worn: Worn) -> dict[str, Any]:
    """A skin whose points follow up to three bones."""
    skin = worn.skin
    faces, left = _torn(scene, person, skin)
    return {
        "name": worn.name, "opacity": 1.0, "bones": worn.turns.shape[1], "tone": None,
        "points": _floats(skin.mesh.points), "normals": _floats(skin.mesh.normals), "faces": _wholes(faces), "left": left,
        "colours": _floats(skin.colours), "owners": _floats(worn.owners), "shares": _floats(worn.shares),
        "moves": _floats(_moves(worn.turns, worn.places)),
    }  # fmt: skip


def _torn(scene: Moving, person: Person, skin: Skin) -> tuple[Indices, list[int]]:
    """The triangles in the order in which they are torn, last first, and how many corners are left at each frame.

    What hangs between bones that have come apart is not drawn from then on.
    """
    tears, faces = tears_of(skin), skin.mesh.faces
    poses = [scene.poses[name] for name in person.segments]
    count = len(scene.times)
    first = np.full(len(faces), count)
    for frame in range(count):
        torn = tears.torn([Placed(turns[frame], places[frame]) for turns, places in poses])
        if torn:
            first[tears.between(torn) & (first > frame)] = frame
    left = 3 * (first[None, :] > np.arange(count)[:, None]).sum(axis=1)
    return faces[np.argsort(-first, kind="stable")], left.tolist()


def _strip(strip: Strip) -> dict[str, Any]:
    """Both edges of webbing."""
    edges = np.stack([strip.left, strip.right], axis=2)
    return {
        "name": strip.name, "tone": list(rgb(strip.tone)), "count": edges.shape[1],
        "edges": _floats(edges),
    }  # fmt: skip


def _floats(values: Any) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode()


def _wholes(values: Any) -> str:
    found = np.asarray(values)
    assert found.max(initial=0) < 65536, "a mesh has more points than a browser numbers"
    return base64.b64encode(np.ascontiguousarray(found, dtype="<u2").tobytes()).decode()
