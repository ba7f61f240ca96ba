"""Loads by region of the body: in each the figure nearest to its limit, and what is shown of such a body for this load case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from solver.base.words import msgid, tr
from solver.injury import Figure, occupants
from solver.injury.figures import Judged, figure_name, shown, written
from solver.report.content import Cell, Table, text
from solver.report.gather import Subject
from solver.report.held import held
from solver.report.tables import share_cell, tone_of

REGIONS: Mapping[str, str] = {
    "head": msgid("head"),
    "neck": msgid("neck"),
    "chest": msgid("chest"),
    "belly": msgid("belly, lumbar spine"),
    "pelvis": msgid("pelvis"),
    "thighs": msgid("thighs, knees"),
    "legs": msgid("lower legs"),
}
"""From the head down."""
OF: Mapping[str, str] = {
    **dict.fromkeys(
        ("HIC", "HIC15", "HIC36", "contact_HIC", "contact_HIC15", "contact_HIC36", "HSI", "BrIC", "UBrIC", "DAMAGE", "GAMBIT", "HIP"), "head"
    ),
    **dict.fromkeys(
        ("Nij", "Nkm", "NIC", "LNL", "neck_tension", "neck_compression", "neck_shear", "neck_flexion", "neck_extension",
         "neck_tension_by_duration", "neck_shear_by_duration"), "neck"
    ),
    **dict.fromkeys(("CSI", "chest_deflection", "rib_deflection", "VC", "CTI", "TTI", "T12_3ms", "shoulder_force"), "chest"),
    **dict.fromkeys(
        ("abdomen_deflection", "abdomen_force", "lumbar_compression", "DRI", "DRI_x", "DRI_y", "Brinkley_low", "Brinkley_moderate", "Brinkley_high"),
        "belly",
    ),
    **dict.fromkeys(("pubic_force", "pubic_load"), "pelvis"),
    **dict.fromkeys(("femur_compression", "femur_by_duration", "knee_slide"), "thighs"),
    **dict.fromkeys(("tibia_index", "tibia_compression", "tibia_bending", "MCL_elongation", "ACL_elongation"), "legs"),
}  # fmt: skip
"""Region of each criterion; 3 ms is that of its part."""
_WIDTHS = (0.13, 0.25, 0.09, 0.23, 0.14, 0.16)
_WIDE = (0.10, 0.17, 0.16, 0.10, 0.21, 0.12, 0.14)
PARTS: Mapping[str, str] = {"head": "head", "upper_torso": "chest", "lower_torso": "pelvis"}


def region_of(one: Figure) -> str:
    """Name the region that a figure tells of; empty where it is of none."""
    if one.criterion in ("3ms", "3ms_in_one"):
        return PARTS.get(one.part, "")
    return OF.get(one.criterion, "")


def region_table(subjects: Sequence[Subject]) -> Table | None:
    """Give the worst of each region of every body, and what is shown of it; none where nobody is."""
    rows, notes = list[tuple[Cell, ...]](), list[str]()
    bodies = [(s, judged, who) for s in subjects for judged, who in _bodies(s, len(subjects) > 1)]
    for s, judged, who in bodies:
        body = next(b for b in occupants(s.project) if b.name == judged.name)
        said = held(s.project, body, judged)
        lead = f"{who}: " if who else ""
        notes.append(tr("{body}What is shown for this load case: {held}.", body=lead, held=said))
    several = len(bodies) > 1
    # of several bodies each region has all of them below each other
    for region in REGIONS:
        there = [(who, row) for s, judged, who in bodies if (row := _row(s, judged, region))]
        for n, (who, row) in enumerate(there):
            title = text("" if n else tr(REGIONS[region]))
            rows.append((title, *([text(who, "muted")] if several else []), *row))
    if not rows:
        return None
    heads = (
        tr("region"),
        *([tr("who")] if several else []),
        tr("figure"),
        tr("value"),
        tr("limit of this body"),
        tr("part of limit"),
        tr("risk"),
    )
    return Table(tr("Loads by region"), heads, tuple(rows), _WIDE if several else _WIDTHS, tuple(dict.fromkeys(notes)))  # fmt: skip


def _bodies(s: Subject, named: bool) -> Iterator[tuple[Judged, str]]:
    for judged in s.assessment.bodies:
        words = [s.label] if named else []
        if len(s.assessment.bodies) > 1:
            words.append(judged.name)
        yield judged, ", ".join(words)


def _row(s: Subject, judged: Judged, region: str) -> tuple[Cell, ...]:
    """Give the row of a region: the largest part of a limit, or that there is none; empty where no figure tells of it."""
    found = [f for f in s.assessment.figures if f.body == judged.name and region_of(f) == region]
    if not found:
        return ()
    # what is beyond its limit says more than what is not judged, and that more than what is within
    worst = max(
        found,
        key=lambda f: ((f.share or 0.0) > 1.0, f.is_spoilt, f.share is not None, f.share or 0.0),
    )
    number, unit = shown(worst.value, worst.unit)
    value = f"{written(number, 3)} {unit}".rstrip()
    name = figure_name(worst, whose=False)
    said = _risk(found, worst)
    limit = worst.strictest
    if limit is None or worst.share is None:
        why = tr("no verdict") if worst.no_verdict else tr("no limit")
        return text(name), text(value), text(worst.no_verdict if worst.spoilt else why, "muted"), share_cell(worst), text(said, "muted")  # fmt: skip
    star = "*" if limit.unchecked else ""
    bound = f"{shown(limit.limit, worst.unit)[0]:g}{star} {limit.source}"
    value_cell = text(value, tone_of(worst))
    return text(name), value_cell, text(bound, "muted"), share_cell(worst), text(said, "muted")


def _risk(found: Sequence[Figure], shown: Figure) -> str:
    """Say the greatest risk of a region, and of which figure it is where another one is shown."""
    risks = [(risk, one) for one in found for risk in one.risks]
    if not risks:
        return ""
    # of equal ones that of the figure that is shown
    risk, one = max(risks, key=lambda pair: (pair[0].probability, pair[1] is shown))
    if one is shown:
        return risk.said
    return tr("{risk} by {figure}", risk=risk.said, figure=figure_name(one, whose=False))
