"""The gallery: each sample as pictures, a movie, curves and the figures of the run that comes with it.

Pictures are drawn while the site is built, and kept in its folder as long as sample, stored run and what draws are the same.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from app.front_door import main as program
from solver.base.places import samples
from solver.injury import Figure
from solver.injury.figures import figure_text, judged_text, value_text
from solver.project import load_project
from solver.report.gather import Subject
from solver.report.panels import panels, pulse_panel
from solver.report.plots.curves import clear_legend, draw_panel, save_figure, styled
from solver.results import open_results
from solver.results.stored import digest_of, stored_file, unpack
from solver.running.simulation import project_bytes

ROOT = Path(__file__).resolve().parents[2]
STILL, STRIP, MOVIE = "960x600", "360x360", "640x400"
PICTURES, SECONDS, RATE = 4, 5.0, 15
MOST_PANELS, MOST_FIGURES = 6, 12
DRAWN = (STILL, STRIP, MOVIE, PICTURES, SECONDS, RATE, MOST_PANELS, 1)
"""What pictures are drawn with; the last counts on where that changes otherwise."""
GROUPS: dict[str, tuple[str, ...]] = {
    "Cars": ("frontal", "frontal_5f", "rear_seat", "child_seat", "rear_impact", "side_impact", "braking", "braking_car", "ground_rollover", "driven_limb", "hands_reach"),
    "Sleds, belts and bags": ("sled", "lap_belt", "airbag_catch"),
    "Aircraft": ("aircraft_dummy", "aircraft_14g", "aircraft_16g", "ejection_seat"),
    "Pedestrians and falls": ("pedestrian", "pedestrian_car", "variseg_occupant", "fall"),
    "Heads and necks": ("volunteer_15g", "neck_pendulum", "head_struck", "padded_wall"),
    "Mechanics": ("pendulum", "double_pendulum", "four_bar", "free_body", "whipping_antenna", "crash_front", "bouncing_ball", "point_contact", "cam_and_follower", "servo_table", "seat_ride"),
}  # fmt: skip
"""In which order samples are shown; one that is in none of these comes last."""
FILMED = ("frontal", "rear_seat", "child_seat", "side_impact", "rear_impact", "sled", "aircraft_dummy", "ejection_seat", "pedestrian", "fall", "volunteer_15g", "airbag_catch")  # fmt: skip
"""Samples with a movie."""


def write(source: Path, beside: Path, kept: Path, with_movies: bool) -> None:
    """Write the page of each sample and one of all; movies go beside the pages, `kept` holds what was drawn before."""
    folder, movies = source / "gallery", beside / "gallery"
    folder.mkdir()
    shutil.rmtree(beside, ignore_errors=True)
    movies.mkdir(parents=True)
    there = sorted(file.stem for file in samples().glob("*.json"))
    left = tuple(name for name in there if not any(name in group for group in GROUPS.values()))
    groups = {**GROUPS, **({"Others": left} if left else {})}
    for name in there:
        drawn = pictures(name, kept / mark(name), with_movies and name in FILMED)
        for file in drawn:
            shutil.copy(file, folder / file.name)
            if with_movies and name in FILMED and file.stem == name:
                shutil.copy(file, movies / file.name)
        (folder / f"{name}.md").write_text(
            "\n".join(page(name, source, with_movies)) + "\n", encoding="utf-8"
        )
    text = (source / "gallery.md").read_text(encoding="utf-8")
    (source / "gallery.md").write_text(text + "\n".join(cards(groups)), encoding="utf-8")


def mark(name: str) -> str:
    """What the pictures of a sample depend on: its file, its stored run, what draws."""
    sample = digest_of(samples() / f"{name}.json")
    digest = hashlib.sha256(f"{sample} {DRAWN}".encode())
    for room in ("app/scene", "app/features/movie", "solver/scene", "solver/report"):
        for file in sorted((ROOT / room).rglob("*.py")):
            digest.update(file.read_bytes())
    return f"{name}_{digest.hexdigest()[:12]}"


def pictures(name: str, kept: Path, with_movie: bool) -> list[Path]:
    """Draw what is not drawn yet: a still, a strip, curves, and a movie."""
    wanted = [kept / f"{name}.jpg", kept / f"{name}_strip.jpg", kept / f"{name}_curves.svg", *([kept / f"{name}.mp4"] if with_movie else [])]  # fmt: skip
    if all(file.is_file() for file in wanted):
        return wanted
    for old in kept.parent.glob(f"{name}_{'?' * len(kept.name.rpartition('_')[2])}"):
        if old != kept:
            shutil.rmtree(old)
    kept.mkdir(parents=True, exist_ok=True)
    run = unpacked(name, kept)
    subject = Subject(open_results(run))
    last, peak = 1e3 * float(subject.time[-1]), 1e3 * subject.peak.time
    still, strip, plot, *movie = wanted
    _film(run, still, "--still", f"{min(peak, last):.4f}", "--size", STILL)
    _film(run, strip, "--strip", str(PICTURES), "--size", STRIP)
    draw_curves(subject, plot)
    for file in movie:
        _film(run, file, "--size", MOVIE, "--rate", str(RATE), "--speed", f"{1e-3 * last / SECONDS:.4g}")  # fmt: skip
    run.unlink()
    return wanted


def unpacked(name: str, folder: Path) -> Path:
    """Write the run that comes with a sample as a results file."""
    sample = samples() / f"{name}.json"
    stored = stored_file(sample)
    if stored is None:
        raise FileNotFoundError(f"the sample '{name}' has no stored run")
    unpack(stored, folder / f"{name}.h5", project_bytes(load_project(sample)))
    return folder / f"{name}.h5"


def _film(run: Path, file: Path, *words: str) -> None:
    """Draw by the command that users have."""
    said = program(["movie", str(run), "-o", str(file), *words])
    if said:
        raise RuntimeError(f"'manikin movie' could not draw {file.name}: exit {said}")


def draw_curves(subject: Subject, file: Path) -> None:
    """Draw the curves that a report begins with, two in a row."""
    from matplotlib.figure import Figure

    pulse = pulse_panel([subject], "metric")
    shown = [*([pulse] if pulse else []), *panels([subject], "metric")][:MOST_PANELS]
    rows = -(-len(shown) // 2)
    with styled():
        figure = Figure(figsize=(10.4, 0.2 + 2.7 * rows), layout="constrained")
        places = figure.subplots(rows, 2, squeeze=False).ravel()
        for axes, one in zip(places, shown, strict=False):
            draw_panel(axes, one.curves, bands=one.bands)
            axes.set_title(one.title)
            axes.set_xlabel(one.x_label)
        for axes in places[len(shown) :]:
            axes.set_axis_off()
        figure.draw_without_rendering()
        for axes in places[: len(shown)]:
            clear_legend(axes)
        save_figure(figure, file)


def page(name: str, source: Path, with_movies: bool) -> Iterator[str]:
    """The page of a sample."""
    project = load_project(samples() / f"{name}.json")
    yield f"# {project.title}\n"
    yield f"{linked(project.note, source, '../')}\n"
    if with_movies and name in FILMED:
        yield from (
            "```{raw} html",
            f'<video controls loop muted playsinline preload="none" poster="{name}.jpg" width="100%">',
            f'<source src="{name}.mp4" type="video/mp4"></video>',
            "```\n",
        )
    else:
        yield f"![{project.title}]({name}.jpg)\n"
    yield f"![Four instants]({name}_strip.jpg)\n"
    yield from figures(name)
    yield "## Curves\n"
    yield f"![Curves of the run]({name}_curves.svg)\n"
    yield "## Take it\n"
    yield from ("```", f"manikin sample {name} -o my_{name}.json", f"manikin my_{name}.json       # look at it", f"manikin run my_{name}.json   # solve it", "```\n")  # fmt: skip
    yield f'From Python: `mk.run(mk.sample("{name}"))`.\n'
    if project.source:
        yield f"**Where its numbers are from.** {linked(project.source, source, '../')}\n"
    yield "[All samples, and what they were held against](../samples.md)"


def figures(name: str) -> Iterator[str]:
    """The table of injury figures of the stored run; nothing where nobody is in it."""
    with TemporaryDirectory() as folder, open_results(unpacked(name, Path(folder))) as run:
        found = Subject(run).assessment
    if not len(found):
        return
    yield "## Figures\n"
    ranked = sorted(found, key=lambda figure: -(figure.share or 0.0))
    yield from _table(ranked[:MOST_FIGURES])
    if ranked[MOST_FIGURES:]:
        yield f":::{{dropdown}} The other {len(ranked) - MOST_FIGURES} figures"
        yield from _table(ranked[MOST_FIGURES:])
        yield ":::\n"


def _table(found: Sequence[Figure]) -> Iterator[str]:
    """Rows of figures with their limits."""
    yield from ("| figure | value | limit | part of the limit |", "|---|---:|---:|---:|")
    for one in found:
        limit = one.strictest
        asked = "" if limit is None else value_text(limit.limit, one.unit)
        yield f"| {figure_text(one)} | {judged_text(one)} | {asked} | {one.share_text} |"
    yield ""


def linked(words: str, source: Path, up: str = "") -> str:
    """Words with the pages that they name, as `docs/engine.md` in a docstring or a note, as links; code and links stay as they are."""

    def link(found: re.Match[str]) -> str:
        page = source / f"{found['page']}.md"
        if found["kept"] or not page.is_file():
            return found[0]
        title = page.read_text(encoding="utf-8").splitlines()[0].lstrip("# ")
        return f"[{title}]({up}{found['page']}.md)"

    return re.sub(r"(?P<kept>^```.*?^```|`[^`\n]*`|\[[^]\n]*\]\([^)\s]*\))|\bdocs/(?P<page>(?:notebooks/)?[\w-]+)\.md\b", link, words, flags=re.M | re.S)  # fmt: skip


def cards(groups: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """All samples as cards with pictures."""
    every = [name for group in groups.values() for name in group]
    yield from ("\n```{toctree}", ":hidden:", "", *(f"gallery/{name}" for name in every), "```\n")
    for title, names in groups.items():
        yield f"\n## {title}\n"
        yield from ("::::{grid} 1 2 2 3", ":gutter: 3", "")
        for name in names:
            shown = load_project(samples() / f"{name}.json").title
            yield from (f":::{{grid-item-card}} {shown}", f":link: gallery/{name}", ":link-type: doc", f":img-top: gallery/{name}.jpg", ":::", "")  # fmt: skip
        yield "::::\n"
