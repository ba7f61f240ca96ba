"""What the program does by a command or in its menus, and what does it in Python: a table of `docs/manikin.md`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import manikin
from manikin.curves import Curve
from manikin.exchange import ReadTest
from manikin.model import Model
from manikin.results import Run
from solver.studies import StudyResult

OWNERS: dict[str, object] = {"mk": manikin, "model": Model, "run": Run, "curve": Curve, "result": StudyResult, "test": ReadTest}  # fmt: skip
"""What the first word of a name stands for."""

Row = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]

ROWS: tuple[Row, ...] = (
    ("look at samples", ("samples", "sample"), ("file.samples",), ("mk.samples", "mk.sample")),
    ("open and save", ("format",), ("file.open", "file.save", "file.save_as", "file.save_copy"), ("mk.load", "model.save")),
    ("begin with nothing", (), (), ("mk.new", "model.add_segment")),
    ("make a crash", (), ("file.crash", "place.crash"), ("mk.load_cases", "mk.crash")),
    ("read and write other programs' models", ("import", "export", "compare-printed"), ("file.import", "file.export_model", "file.compare_printed"),
     ("mk.read_model", "mk.write_model", "mk.read_ain", "mk.write_ain", "mk.read_tree", "mk.write_tree", "mk.read_variseg", "mk.write_variseg", "mk.read_printed", "mk.compare_printed", "mk.read_shapes")),
    ("check", ("check",), (), ("model.problems", "model.amounts")),
    ("the schema of files", ("schema",), (), ("mk.json_schema", "mk.schema")),
    ("insert a person or a dummy", ("body",), ("place.body",),
     ("mk.body", "mk.bodies", "mk.person", "mk.person_range", "mk.posed", "mk.postures", "model.add_body", "model.seat")),
    ("put a car on its wheels", ("car",), (), ("mk.car", "model.add_car", "mk.DoubleWishbone", "model.ride")),
    ("replace a body; compare sizes", (), ("place.replace", "run.sizes"), ("mk.replace_body", "mk.run_many")),
    ("the next seat", (), ("place.next_seat",), ("model.copy_to_next_seat",)),
    ("who is there; rename, take away", (), ("place.person",), ("model.people", "model.rename_body", "model.without_body", "model.without")),
    ("pose, move, turn, mirror, copy", (), ("place.pose", "place.move", "place.turn", "place.mirror", "place.mirror_plane", "place.array"),
     ("model.pose_joint", "model.pose_segment", "model.move", "model.put_points", "model.weigh", "model.balance", "model.mirror", "model.duplicate", "model.array", "model.start_joint")),
    ("pose and motion by markers", ("pose", "motion"), ("file.tracks", "place.to_tracks", "run.by_tracks"),
     ("mk.tracks", "mk.pose_from_markers", "mk.motion_from_markers", "mk.driven_by_motion")),
    ("close loops that start open", ("assemble",), ("place.mechanism",), ("model.assembled", "model.closures")),
    ("how far a point reaches; every pose", ("reach", "poses"), ("place.reach_of", "place.poses"), ("mk.reach", "mk.show_reach", "mk.inverse_poses")),
    ("joints and surfaces from measurements", ("sinus", "hertz"), (), ("mk.joint_sinus", "mk.hertz_stiffness")),
    ("find models, runs and studies", ("find",), ("file.find",), ("mk.find",)),
    ("facts of a mechanism", ("facts",), ("place.mechanism",), ("model.facts", "mk.mass_matrix", "mk.jacobian")),
    ("settle, look at the start", ("settle",), ("place.settle",), ("model.settle", "model.settled", "model.health")),
    ("hold a posture, follow a motion", ("brace",), ("place.brace",), ("mk.brace",)),
    ("lay belts and straps", ("route",), ("place.strap", "place.lay"), ("model.insert", "model.add_strap", "model.lay_again", "model.route")),
    ("ready parts", ("library list", "library show", "library insert"), ("place.library",), ("mk.library", "mk.library_details", "model.insert")),
    ("other projects within one", ("include add", "include list", "include update", "include let-go"), (),
     ("model.include", "model.includes", "model.update_include", "model.let_go")),
    ("measured pulses", ("library measured",), (), ("mk.read_pulse", "model.add_pulse", "model.led_by")),
    ("meshes and inertia of shapes", (), ("place.mesh", "place.fit_ellipsoid", "place.fit_hyperellipsoid", "place.fill"),
     ("model.add_mesh", "model.fit_surface", "model.fill")),
    ("sensors and outputs", (), (), ("model.add_output", "model.add_body")),
    ("run, go on, stop", ("run",), ("run.run", "run.go_on", "run.cancel", "run.hold", "run.live", "run.pin"),
     ("mk.run", "mk.run_many", "mk.Simulation", "model.with_value")),
    ("open, save, salvage results", ("salvage",), ("run.open", "run.save"), ("mk.open_run", "run.save", "mk.salvage")),
    ("what results hold", ("show",), ("run.results", "run.impacts"), ("run.quantities", "run.curves", "run.events", "run.impacts", "run.frame")),
    ("plot, compare runs", ("plot",), ("run.compare",), ("run.plot", "curve.plot", "mk.plot")),
    ("tables and files of curves", ("table", "export"), (), ("run.printed", "run.write_csv", "run.write_impacts", "run.write_excel", "run.write_parquet", "run.write_mme")),
    ("measure curves", ("measure",), (), ("curve.psd", "curve.h1", "curve.srs", "curve.peaks", "curve.oscillation", "curve.amplitudes", "curve.ride", "mk.total_ride")),
    ("rate against a test", ("rate",), (), ("mk.read_test", "curve.rated")),
    ("channels and figures of a measured test", ("channels",), (), ("mk.read_test", "test.find", "test.figures")),
    ("injury figures", ("injury",), (), ("run.injury", "run.judged", "curve.hic")),
    ("explain", (), ("run.explain", "run.why", "run.acts"), ("run.told", "run.why", "run.acting_on")),
    ("report", ("report", "demo"), ("run.report",), ("run.report",)),
    ("movies and pictures", ("movie",), ("run.film", "run.strip", "run.still", "run.picture", "run.copy_picture"), ("run.film", "run.filmstrip", "run.picture")),
    ("a page that plays; 3D programs", ("scene",), ("run.page", "run.scene"), ("run.present",)),
    ("small motions", ("modes",), ("run.modes",), ("mk.linearise", "mk.buckling", "mk.save_linear")),
    ("loads from motions", ("inverse", "identify"), (), ("mk.joint_loads", "mk.save_loads", "mk.identify", "mk.base_parameters")),
    ("bench tests and certificates", ("bench",), ("run.certify",), ("mk.bench", "mk.bench_tests", "mk.bench_scene", "mk.bench_margins", "mk.certificate", "mk.dummy")),
    ("studies", ("study",), ("run.studies", "run.vary", "run.band", "run.study_pages"), ("model.add_study", "model.add_assumed_number", "mk.study", "mk.band", "mk.open_study", "result.answers", "result.table", "result.keep")),
    ("FMUs", ("fmu",), (), ("mk.write_fmu",)),
    ("parts of other packages", ("extensions",), (), ("mk.installed_extensions",)),
)  # fmt: skip
"""What is done; the words of commands; ids of the window's menus; names in Python."""

OF_THE_WINDOW = {
    "file.close", "file.open_written", "file.quit", "file.recent", "file.show_written", "file.window", "place.next",
    "place.own_axes", "run.play", "run.ride",
}  # fmt: skip
"""Entries of the menus file, place and run that are about the window itself alone; so are all of edit, help and view."""


def found(name: str) -> object:
    """The thing behind a name of the table; raises AttributeError where there is no such thing."""
    owner, _, rest = name.partition(".")
    return inspect.getattr_static(OWNERS[owner], rest) if owner != "mk" else getattr(manikin, rest)


def table() -> Iterator[str]:
    """The lines of the table."""
    yield "| what | command | in Python |"
    yield "|---|---|---|"
    for what, words, _, names in ROWS:
        said = ", ".join(f"[`{w}`](commands.md#{w.replace(' ', '-')})" for w in words)
        yield f"| {what} | {said} | {', '.join(map(_linked, names))} |"


def _linked(name: str) -> str:
    owner, _, rest = name.partition(".")
    page = {
        "mk": rest,
        "model": "Model",
        "run": "Run",
        "curve": "Curve",
        "result": "StudyResult",
        "test": "ReadTest",
    }
    return f"[`{name}`](#{anchor(page[owner])})"


def anchor(name: str) -> str:
    """Give the anchor of a name's heading; of two that differ by capitals alone the second is numbered."""
    alike = [one for one in manikin.HOMES if one.lower() == name.lower()]
    number = alike.index(name)
    return name.lower() + (f"-{number}" if number else "")
