"""Say injury figures and their channels as people do: 'Femur compression, left', not 'femur_compression_left'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.base.units import plain, pretty
from solver.base.words import tr
from solver.injury.figures import Figure
from solver.project import Project
from solver.project.names import called, name_of, read_as_words
from solver.results.layout import said
from solver.results.spoken import spoken_name

_SHOWN = {"m": ("mm", 1e3), "W": ("kW", 1e-3)}
"""Units in which people say figures and their limits; others are said as they are."""
LEAST = 0.001
"""In the unit in which a figure is said: what is less is of no interest to anybody."""
_AXES = re.compile(r"_[a-z](, _[a-z])*$")
_CHANNEL = re.compile(r"(?P<place>.+?)\.(?P<quantity>.+?)_[a-z](, _[a-z])*$")
_AT = re.compile(r"(?P<quantity>.+?)_at_(?P<joint>.+)$")


def shown(value: float, unit: str) -> tuple[float, str]:
    """Give a value of a figure, or a limit of it, as people say it: a deflection in mm, as standards have it, power in kW."""
    said_unit, factor = _SHOWN.get(unit, (unit, 1.0))
    return factor * value, pretty(said_unit)


def said_value(value: float, unit: str) -> str:
    """Write it with its unit: '31.56 mm', '172.3', '22.12 kW'."""
    number, said_unit = shown(value, unit)
    return f"{written(number)} {said_unit}".rstrip()


def said_change(part: float) -> str:
    """Write a relative change in percent; one that rounds to nothing has no sign."""
    percent = round(100.0 * part, 1)
    return f"{percent:+.1f} %" if percent else "< 0.1 %"


def said_judged(figure: Figure) -> str:
    """Write the value of a figure, and that it is not judged, or only until when it is known."""
    value = said_value(figure.value, figure.unit)
    if figure.is_spoilt:
        return tr("{value}, not judged", value=value)
    if figure.verdict == "open" and figure.until is not None:
        return tr("{value} until {ms:.0f} ms", value=value, ms=1e3 * figure.until)
    return value


def written(number: float, digits: int = 4) -> str:
    """Write a number with so many digits, as people read it: never with a power of ten."""
    if number != 0.0 and abs(number) < LEAST:
        return f"< {LEAST:g}"
    return plain(number, digits)


def said_figure(figure: Figure) -> str:
    """Name a figure with what it stands for: 'HIC15: Head injury criterion, …', 'Femur compression, left'.

    Of several bodies each is named; so is what people have called a figure of their own.
    """
    where, is_short = _where(figure)
    if is_short:
        head = ", ".join(filter(None, (figure.criterion, where, _whose(figure))))
        return f"{head}: {tr(figure.title)}"
    if where and _own(figure).endswith(figure.criterion):
        head = ", ".join(filter(None, (where[:1].upper() + where[1:], _whose(figure))))
        return f"{head}: {tr(figure.title)}"
    return ", ".join(filter(None, (tr(figure.title), where, _whose(figure))))


def figure_name(figure: Figure, whose: bool = True) -> str:
    """Name a figure where there is less room: 'HIC15, Driver', 'Chest 3 ms'; the body only if that is wanted."""
    where, is_short = _where(figure)
    body = _whose(figure) if whose else ""
    if is_short:
        return ", ".join(filter(None, (figure.criterion, where, body)))
    if where and _own(figure).endswith(figure.criterion):
        return ", ".join(filter(None, (short_figure(_own(figure)), body)))
    return ", ".join(filter(None, (tr(figure.title), where, body)))


def _whose(figure: Figure) -> str:
    """Name the body as people do: 'Passenger 2'."""
    return read_as_words(figure.body)


def _own(figure: Figure) -> str:
    return figure.name.removeprefix(f"{figure.body}.").removeprefix(f"{figure.part}.")


def _where(figure: Figure) -> tuple[str, bool]:
    """Say where it is or what people have called it, and whether its criterion is a name by itself, as HIC15 is."""
    criterion, own = figure.criterion, _own(figure)
    # 'HIC' may be what people call a HIC36
    where = (
        "" if criterion.startswith(own) else own.replace(criterion, "").strip("_").replace("_", " ")
    )
    return where, "_" not in criterion and criterion[:1].isupper()


def short_figure(name: str, project: Project | None = None) -> str:
    """Name a figure where there is little room: 'HIC15', 'Chest 3 ms', 'HIC15, Driver'; one that the model asks for by its name there."""
    outputs = () if project is None else project.outputs
    asked = next((output.name for output in outputs if output.id == name and output.name), "")
    if asked:
        return asked
    *whose, own = name.split(".")
    words = re.sub(r"\b3ms\b", tr("3 ms"), own.replace("_", " "))
    return ", ".join([words[:1].upper() + words[1:], *map(read_as_words, whose)])


def said_channels(project: Project, channels: Sequence[str]) -> str:
    """Name the channels of a figure: 'Head: acceleration, angular acceleration'."""
    by_place: dict[str, list[str]] = {}
    outputs = {output.id: name_of(output) for output in project.outputs}
    for channel in channels:
        recorded = outputs.get(_AXES.sub("", channel))
        if recorded is not None:
            by_place.setdefault(recorded, [])
            continue
        found = _CHANNEL.match(channel)
        if found is None:
            by_place.setdefault(spoken_name(project, channel), [])
            continue
        by_place.setdefault(_spoken(project, found["place"]), []).append(
            _quantity(project, found["quantity"])
        )
    return "; ".join(
        f"{place}: {', '.join(what)}" if what else place for place, what in by_place.items()
    )


def figure_segment(project: Project, figure: Figure) -> str:
    """Name the segment on which a figure's first channel is measured; of a joint, or of its slide, its child. Empty where there is none."""
    segments = {one.id for one in project.segments}
    children = {joint.id: joint.child for joint in project.joints}
    outputs = {output.id: output for output in project.outputs}
    for channel in figure.channels:
        recorded = outputs.get(_AXES.sub("", channel))
        found = _CHANNEL.match(channel)
        place = found["place"] if found is not None else channel
        if recorded is not None:
            place = getattr(recorded, "segment", "") or getattr(recorded, "joint", "")
        elif place not in segments:
            # what a sensor of a body tells of a joint's slide is of what slides
            place = place.partition(".")[0]
        place = children.get(place, place)
        if place in segments:
            return place
    return ""


def _quantity(project: Project, words: str) -> str:
    at = _AT.match(words)
    if at is None:
        return said(words)
    joint = _spoken(project, at["joint"])
    return tr("{what} at {joint}", what=said(at["quantity"]), joint=joint.lower())


def _spoken(project: Project, name: str) -> str:
    """Name a segment or a joint; what is neither keeps its name."""
    items = (*project.segments, *project.joints)
    return next((called(project, item) for item in items if item.id == name), name)
