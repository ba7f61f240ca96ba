"""Explain a run: what happened when, with a picture of each step, what made the peaks, and the energy."""

from __future__ import annotations

from solver.base.words import tr
from solver.report.content import Picture, Step, Story
from solver.report.energy_story import energy_sentence, flow_table
from solver.report.gather import Subject
from solver.report.happenings import frames_of, happenings, steps
from solver.report.scene import cameras, drawn, scenes
from solver.scene.instant import Looks

APART_S = 3e-3
"""What happens within this while is one step."""
STEPS = 10
PICTURE_HEIGHT = 260


def story(s: Subject, units: str = "metric", looks: Looks = "skin", around: bool = True) -> Story:
    """Tell a run as steps with pictures, and where its energy came from and went."""
    groups = steps(happenings(s, units), APART_S, STEPS)
    frames = frames_of(s.time, groups)
    shots = scenes(s.project, s.run, frames, looks, around)
    views = cameras(s.project, shots, "side") if shots else []
    told = []
    for group, frame, shot, view in zip(groups, frames, shots, views, strict=True):
        first, last = 1e3 * group[0].time, 1e3 * group[-1].time
        when = (
            f"{first:.0f} ms" if last - first < 0.5 else tr("{first:.0f} to {last:.0f} ms", first=first, last=last)
        )  # fmt: skip
        shown = f"{1e3 * float(s.time[frame]):.0f} ms"
        caption = "" if shown == when else shown
        image = Picture(caption, drawn(shot, view, PICTURE_HEIGHT))
        told.append(
            Step(when, tuple((f"{1e3 * one.time:.0f} ms", one.words) for one in group), image)
        )
    energy = flow_table(s)
    lead = tuple(filter(None, (energy_sentence(s),)))
    return Story(tr("What happened"), lead, tuple(told), () if energy is None else (energy,))


def told(s: Subject, units: str = "metric") -> list[str]:
    """Tell a run in sentences alone, one a line: '62 ms: The chest is accelerated most …'."""
    lines = [f"{1e3 * one.time:.1f} ms: {one.words}" for one in happenings(s, units)]
    return [*lines, *filter(None, (energy_sentence(s),))]
