"""The command `scene`: choose the format by the ending, and write."""

from __future__ import annotations

import argparse

from app import texts
from app.features.export.saving import SceneError, save_scene
from solver.base.words import tr
from solver.cli.common import CommandError, opened_results, writable
from solver.project import ProjectError, parse
from solver.project.segments import GROUND


def write_scene(arguments: argparse.Namespace) -> int:
    """Write the scene of a results file."""
    writable(arguments.output, texts.words.SCENE, arguments.results)
    results = opened_results(arguments.results)
    if arguments.cameras and arguments.ride:
        raise CommandError("Keyed cameras say what they go with: leave --ride away.")
    if arguments.ride and arguments.ride not in results.segment_ids:
        names = ", ".join(results.segment_ids)
        raise CommandError(tr(texts.words.NO_SEGMENT, name=arguments.ride, names=names))
    try:
        project = parse(results.project_json.decode()).project
        ride = arguments.ride or GROUND
        save_scene(
            project, results, arguments.output, ride, arguments.speed, cameras=arguments.cameras
        )
    except SceneError as failure:
        raise CommandError(str(failure)) from None
    except (ProjectError, UnicodeDecodeError):
        raise CommandError(texts.words.NO_MODEL_INSIDE) from None
    print(tr("wrote {file}: {count} frames", file=arguments.output, count=len(results.time)))
    return 0
