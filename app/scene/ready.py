"""Make what takes longest of a scene before anyone draws it."""

from __future__ import annotations

from collections.abc import Callable

from solver.project import Project


def make_ready(project: Project, goes_on: Callable[[], bool] = lambda: True) -> Project:
    """Make skins and shapes, which are kept for anyone who draws them; ends early where `goes_on` says so."""
    import scipy.spatial  # noqa: F401 (webbing is laid on clothes with its help)
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 (to load it takes as long as a picture)

    import app.scene.exposure
    import app.scene.stage  # noqa: F401
    from solver.scene.around.surroundings import surroundings
    from solver.scene.people.build import people
    from solver.scene.people.skin import coarse, skin_of, tears_of
    from solver.scene.placing import pose_at_start
    from solver.scene.shapes import shapes

    pose = pose_at_start(project)
    for make in (shapes, surroundings):
        if goes_on():
            make(project, pose)
    for person in people(project):
        if goes_on():
            skin = skin_of(person.figure)
            tears_of(skin)
            coarse(skin)
    return project
