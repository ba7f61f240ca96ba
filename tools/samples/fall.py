"""A fall on the back from one metre."""

from __future__ import annotations

from solver.bodies import Place
from solver.bodies.library import insert
from solver.project.document import Project
from solver.project.motions import Initial
from tools.samples.common import following, free_body, pitched, run_of


def build() -> Project:
    """Build the sample."""
    project = Project(
        title="Fall on the back from one metre",
        note="The 50th-percentile man of the library lies in the air, feet a little higher than the head, and "
        "falls freely for 0.45 s onto pavement. The law is that of flesh on something rigid, also for the head.",
        source="Body as printed; pavement of the library, marked as assumed",
        load_case="fall",
        initial=Initial(),
        runs=(run_of(0.7),),
    )
    place = Place(position_m=(0.0, 0.0, -1.0), orientation=pitched(0.06), anchor="lowest")
    project = free_body(project, "lying", place)
    project = insert(project, "pavement_plane", "road", on="occupant")
    return following(project)
