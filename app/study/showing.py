"""Show an instant of a run with what people want to see beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.look import OTHER_TONE, START_TONE
from app.scene.legend import rounded_up
from app.study.motion import Motion
from app.study.replay import Replay
from solver.maths.rotation import Array
from solver.project import Project
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Sights:
    """Say what is seen: forces at contacts, loads of webbing by colour, the pose at the start."""

    forces: bool = False
    loads: bool = False
    start: bool = False
    system: str = "metric"
    """Of the units in which loads are written."""


NOTHING = Sights()


class Showing:
    """Join a run's replay, another run's, and the trails; a stage shows them all at an instant."""

    def __init__(self, project: Project, run: Trajectory, sights: Sights = NOTHING) -> None:
        self.replay = Replay(project, Motion(run))
        self.sights = sights
        self.beside: Replay | None = None
        self._beside_run: Trajectory | None = None
        self.trails: tuple[str, ...] = ()
        self._ways: dict[str, Array] = {}

    def refresh(self) -> None:
        """Look again at a run that has grown."""
        self.replay.refresh()
        self._ways.clear()

    @property
    def beside_run(self) -> tuple[Project, Trajectory] | None:
        """Give the model and the run that are drawn faintly."""
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

    def ride(self, segment: str = GROUND, turns_too: bool = True) -> None:
        """Let the camera go with a segment; another run is seen from its own segment of that name."""
        self.replay.ride(segment, turns_too)
        self._ways.clear()
        if self.beside is not None:
            names = self.beside.motion.names
            self.beside.ride(segment if segment in names else GROUND, turns_too)

    def show(self, stage: Any, t: float) -> None:
        """Show an instant (s)."""
        self.replay.show(stage, t)
        self._show_forces(stage, t)
        self._show_loads(stage)
        self._show_ghosts(stage, t)
        self._show_trails(stage, t)

    def _show_forces(self, stage: Any, t: float) -> None:
        aside, motion = stage.aside, self.replay.motion
        contacts = motion.loads.contacts if self.sights.forces else ()
        if not contacts or not len(motion.time):
            aside.arrows.hide()
            return
        i, w = motion.between(t)
        points, forces = motion.loads.at_contacts(i, min(i + 1, len(motion.time) - 1), w)
        carried = self.replay.now
        aside.arrows.show(points @ carried.R_WS.T + carried.p_W, forces @ carried.R_WS.T)
        aside.forces = [f"contacts/{id_}" for id_ in contacts]

    def _show_loads(self, stage: Any) -> None:
        top = self.replay.motion.loads.highest_tension() if self.sights.loads else 0.0
        if top <= 0.0:
            stage.colour_belts(None)
            stage.aside.legend.hide()
            return
        top = rounded_up(top)
        stage.colour_belts(top)
        stage.aside.legend.show(top, self.sights.system, stage.theme)

    def _show_ghosts(self, stage: Any, t: float) -> None:
        aside, replay = stage.aside, self.replay
        if self.sights.start:
            ghost, is_new = aside.ghost("start", replay, replay.project, START_TONE)
            if is_new:
                replay.show(ghost, 0.0)
        else:
            aside.drop_ghost("start")
        if self.beside is not None:
            ghost, _ = aside.ghost("beside", self.beside, self.beside.project, OTHER_TONE)
            self.beside.show(ghost, t)
        else:
            aside.drop_ghost("beside")

    def _show_trails(self, stage: Any, t: float) -> None:
        for name in self.trails:
            if name not in self._ways and name in self.replay.motion.names:
                self._ways[name] = self.replay.way(name)
        ways = {name: self._ways[name] for name in self.trails if name in self._ways}
        stage.aside.show_trails(ways)
        frame = self.replay.motion.near(t)
        for trail in stage.aside.trails.values():
            trail.show(frame)
