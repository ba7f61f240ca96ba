"""Show an instant of a run with what people want to see beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.elements import element_label
from app.forms.units import brief
from app.look import FORCE_TONES, LOAD_TONES, OTHER_TONE, PRESSURE_TONES, START_TONE
from app.run_view.cameras import Cameras
from app.run_view.forces import Forces, Patches
from app.run_view.motion import Motion
from app.run_view.overlays import NO_OVERLAYS, Overlays
from app.run_view.replay import Replay
from app.scene.key import Key, Scale, Sign, Tag, rounded_up
from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.angles import joint_values
from solver.project.joint_table import Row, carrying, is_sliding, row_of
from solver.project.joints import Joint
from solver.project.pose import turn
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory
from solver.scene.damage import Damage
from solver.scene.placing import Pose
from solver.scene.reach import JointState

_BROKEN = 1 << 3


class JointStates:
    """Read the joints of a run, finished or growing."""

    def __init__(self, project: Project, motion: Motion) -> None:
        self._joints = {joint.id: joint for joint in carrying(project.joints)}
        self._motion = motion

    def at(self, id_: str, t: float, pose: Pose) -> JointState | None:
        """A joint at an instant (s) at which everything stands as in `pose`; None where results tell nothing.

        Angles and the way of one slide are those of the channels; of three slides these have only the length.
        """
        table: Any = self._motion.loads.table("joints")
        joint = self._joints.get(id_)
        if joint is None or id_ not in table.ids or not len(self._motion.time):
            return None
        (i, w), n = self._motion.between(t), table.ids.index(id_)
        j = min(i + 1, len(table["angle"]) - 1)
        angle = (1.0 - w) * table["angle"][i, n] + w * table["angle"][j, n]
        row = row_of(joint)
        turned = tuple(float(v) for v in angle[: len(row.turns)])
        if is_sliding(joint):
            slid: tuple[float, ...] = (
                float((1.0 - w) * table["slide"][i, n] + w * table["slide"][j, n]),
            )
        else:
            slid = row.slid(_from_pose(joint, row, turned, pose))
        state = int(table["state"][self._motion.near(t), n])
        return JointState(row.chained(slid, turned), _held(row, state), bool(state & _BROKEN))


def _from_pose(joint: Joint, row: Row, turned: tuple[float, ...], pose: Pose) -> tuple[float, ...]:
    parent, child = pose[joint.parent], pose[joint.child]
    R_WP = parent.R_WS @ turn(joint.parent_frame.orientation)
    R_WC = child.R_WS @ turn(joint.child_frame.orientation)
    away = child.of(joint.child_frame.position_m) - parent.of(joint.parent_frame.position_m)
    like = row.chained((0.0,) * len(row.slides), turned)
    return joint_values(joint, R_WP.T @ R_WC, np.asarray(R_WP.T @ away), like)


def _held(row: Row, state: int) -> frozenset[str]:
    """Name the coordinates that locks hold, by the bits of a state; a ball's turns have one bit together."""
    names = [one.name for one in row.freedoms]
    if row.acts == "ball":
        names = [*(slide.name for slide in row.slides), "ball"]
    found = {name for k, name in enumerate(names) if state >> (k if k < 3 else k + 1) & 1}
    return frozenset(found | ({one.name for one in row.turns} if "ball" in found else set()))


_FORCES = {"contacts": msgid("Contacts"), "webbing": msgid("Belts"), "airbags": msgid("Airbags")}
"""Words of the key beside the arrows of each kind."""
_SAID = 0.01
"""Pressures of bags below this part of the scale's top are not written beside them."""
_PRESSURE_AT = "{name}  {pressure}"


class Playback:
    """Join a run's replay, another run's, and the trails; a stage shows them all at an instant."""

    def __init__(self, project: Project, run: Trajectory, overlays: Overlays = NO_OVERLAYS) -> None:
        self.replay = Replay(project, Motion(run))
        self._forces = Forces(project, self.replay.motion)
        self._patches = Patches(project, self.replay.motion)
        motion = self.replay.motion
        self._damage = Damage(project, lambda: motion.loads.table("contacts"), lambda n: motion.pose(float(motion.time[n])))  # fmt: skip
        self.overlays = overlays
        self.beside: Replay | None = None
        self._beside_run: Trajectory | None = None
        self.trails: tuple[str, ...] = ()
        self.cameras = Cameras()
        """Keyed cameras that are looked through."""
        self.joints: tuple[str, ...] = ()
        """Joints of which it is seen what they may do, where that is wanted."""
        self._standings = JointStates(project, self.replay.motion)
        self._ways: dict[str, Array] = {}
        self.scaled_with: tuple[Playback, ...] = ()
        """Other runs that are seen beside this one: colours mean the same in all."""

    def refresh(self) -> None:
        """Look again at a run that has grown."""
        self.replay.refresh()
        self._patches.refresh()
        self._ways.clear()

    @property
    def beside_run(self) -> tuple[Project, Trajectory] | None:
        """The model and the run that are drawn faintly."""
        if self.beside is None or self._beside_run is None:
            return None
        return self.beside.project, self._beside_run

    def set_beside(self, project: Project | None, run: Trajectory | None) -> None:
        """Choose another run to draw faintly; None for none."""
        if run is self._beside_run:
            return
        self._beside_run = run
        if project is None or run is None:
            self.beside = None
            return
        self.beside = Replay(project, Motion(run))
        self.ride(self.replay.rider, self.replay.turns_too)

    def ride(self, segment: str = GROUND, turns_too: bool | None = None) -> None:
        """Let the camera go with a segment; another run is seen from its own segment of that name."""
        self.replay.ride(segment, turns_too)
        self._ways.clear()
        if self.beside is not None:
            names = self.beside.motion.names
            self.beside.ride(segment if segment in names else GROUND, turns_too)

    def show(self, stage: Any, t: float, *, through_keys: bool = True) -> None:
        """Show an instant (s), through the camera that is keyed there, or from where one looks."""
        key = self.cameras.at(t) if through_keys else None
        if key is not None:
            rider = key.rider if key.rider in self.replay.motion.names else GROUND
            if (rider, key.turns_too) != (self.replay.rider, self.replay.turns_too):
                self.ride(rider, key.turns_too)
            key.put(stage.camera)
        self.replay.show(stage, t)
        stage.spoil(self._damage.at(self.replay.motion.near(t)))
        signs = self._show_forces(stage, t)
        self._show_patches(stage, t)
        self._show_reaches(stage, t)
        scales, tags = self._show_loads(stage, t)
        note = tr("10 cm: 1 kN") if signs else ""
        stage.overlays.key = Key(scales, signs, note, tags)
        self._show_ghosts(stage, t)
        self._show_trails(stage, t)

    def _show_forces(self, stage: Any, t: float) -> tuple[Sign, ...]:
        kinds = self._forces.kinds() if self.overlays.forces else ()
        carried, signs = self.replay.now, []
        for kind, arrows in stage.overlays.arrows.items():
            if kind not in kinds:
                arrows.hide()
                continue
            laid = self.replay.moment.laid
            if kind not in laid:
                acting = self._forces.at(kind, t, self.replay.stood)
                points = acting.points @ carried.R_WS.T + carried.p_W
                laid[kind] = acting.elements, points, acting.forces @ carried.R_WS.T
            arrows.show(*laid[kind])
            signs.append(Sign(tr(_FORCES[kind]), FORCE_TONES[kind], kind))
        return tuple(signs)

    def _show_patches(self, stage: Any, t: float) -> None:
        if not self.overlays.patches:
            stage.overlays.patches.hide()
            return
        elements, outlines = self._patches.at(t)
        carried = self.replay.now
        stage.overlays.patches.show(elements, outlines @ carried.R_WS.T + carried.p_W)

    def _show_reaches(self, stage: Any, t: float) -> None:
        reaches, stood = stage.overlays.reaches, self.replay.stood
        reaches.show(self.joints if self.overlays.reach else (), self.overlays.system)
        reaches.told = lambda joint: self._standings.at(joint, t, stood)

    def _show_loads(self, stage: Any, t: float) -> tuple[tuple[Scale, ...], tuple[Tag, ...]]:
        """Colour webbing and bags; write their scales, and the pressure at bags."""
        on = self.overlays.loads
        both = (self, *self.scaled_with)
        loads = [one.replay.motion.loads for one in both]
        scales = []
        tension = max(one.highest_tension() for one in loads) if on else 0.0
        if tension > 0.0:
            tension = rounded_up(tension)
            scales.append(self._scale(msgid("Belt load ({unit})"), tension, "N", LOAD_TONES))
        stage.colour_belts(tension or None)
        borne = max(one.replay.bearing.highest() for one in both) if on else 0.0
        if borne > 0.0:
            borne = rounded_up(borne)
            scales.append(self._scale(msgid("Disc load ({unit})"), borne, "N", LOAD_TONES))
        stage.colour_discs(borne or None)
        top = rounded_up(max(one.highest_pressure() for one in loads))
        tints: dict[str, float] = {}
        tags = []
        for bag in self.replay.project.airbags:
            element, found = f"airbags/{bag.id}", self.replay.motion.bag(bag.id, t)
            if found is None or not (on or element in stage.chosen):
                continue
            pressure = self.replay.motion.pressure(bag.id, t)
            if on:
                tints[element] = pressure / top
            carried = self.replay.now
            x, y, z = (float(v) for v in carried.R_WS @ found[0].p_W + carried.p_W)
            text = self._said(pressure, "Pa")
            if len(self.replay.project.airbags) > 1:
                name = element_label(self.replay.project, element)
                text = _PRESSURE_AT.format(name=name, pressure=text)
            # of a bag without pressure there is nothing to say over anyone who is behind it
            if pressure > _SAID * top or element in stage.chosen:
                tags.append(Tag((x, y, z), text))
        stage.tint_bags(tints)
        if on and self.replay.project.airbags:
            scales.append(self._scale(msgid("Bag pressure ({unit})"), top, "Pa", PRESSURE_TONES))
        return tuple(scales), tuple(tags)

    def _scale(self, title: str, top: float, si_unit: str, tones: tuple[str, ...]) -> Scale:
        unit = display_unit(si_unit, self.overlays.system)
        return Scale(tr(title, unit=pretty(unit)), tones, brief(convert(top, si_unit, unit)))

    def _said(self, value: float, si_unit: str) -> str:
        unit = display_unit(si_unit, self.overlays.system)
        return f"{convert(value, si_unit, unit):.1f} {pretty(unit)}"

    def _show_ghosts(self, stage: Any, t: float) -> None:
        overlays, replay = stage.overlays, self.replay
        if self.overlays.start:
            ghost, is_new = overlays.ghost("start", replay, replay.project, START_TONE)
            if is_new:
                replay.show(ghost, 0.0)
        else:
            overlays.drop_ghost("start")
        if self.beside is not None:
            ghost, _ = overlays.ghost("beside", self.beside, self.beside.project, OTHER_TONE)
            self.beside.show(ghost, t)
        else:
            overlays.drop_ghost("beside")

    def _show_trails(self, stage: Any, t: float) -> None:
        for name in self.trails:
            if name not in self._ways and name in self.replay.motion.names:
                self._ways[name] = self.replay.way(name)
        ways = {name: self._ways[name] for name in self.trails if name in self._ways}
        stage.overlays.show_trails(ways)
        frame = self.replay.motion.near(t)
        for trail in stage.overlays.trails.values():
            trail.show(frame)
