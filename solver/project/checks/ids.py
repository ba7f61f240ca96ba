"""Check that every id is unique and every reference leads somewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from solver.base.words import NOTHING, Sentence, msgid, sentence_of
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.contact import StrapLaw
from solver.project.coordinates import PointMove, PointRange, Reflex, Sensor, unit_of
from solver.project.couplings import Coupled
from solver.project.document import LISTS
from solver.project.motions import History, Load, MotionComponent
from solver.project.outputs import ElementOutput
from solver.project.problems import Problem, Words, did_you_mean, listed
from solver.project.segments import GROUND, Segment

LIST_WORDS: Mapping[str, tuple[str, str]] = {
    "segments": (msgid("segment"), msgid("segments")),
    "joints": (msgid("joint"), msgid("joints")),
    "planes": (msgid("plane"), msgid("planes")),
    "functions": (msgid("function"), msgid("functions")),
    "contact_laws": (msgid("contact law"), msgid("contact laws")),
    "contacts": (msgid("contact"), msgid("contacts")),
    "belts": (msgid("belt"), msgid("belts")),
    "harnesses": (msgid("harness"), msgid("harnesses")),
    "airbags": (msgid("airbag"), msgid("airbags")),
    "springs": (msgid("spring"), msgid("springs")),
    "coordinate_forces": (msgid("coordinate force"), msgid("coordinate forces")),
    "tyres": (msgid("tyre"), msgid("tyres")),
    "tension_elements": (msgid("tension element"), msgid("tension elements")),
    "constraints": (msgid("constraint"), msgid("constraints")),
    "beams": (msgid("beam"), msgid("beams")),
    "crash_frames": (msgid("crash frame"), msgid("crash frames")),
    "flexible_elements": (msgid("flexible element"), msgid("flexible elements")),
    "modal_bodies": (msgid("modal body"), msgid("modal bodies")),
    "motions": (msgid("motion"), msgid("motions")),
    "drivers": (msgid("driver"), msgid("drivers")),
    "frame_drivers": (msgid("frame driver"), msgid("frame drivers")),
    "markers": (msgid("marker"), msgid("markers")),
    "meshes": (msgid("mesh"), msgid("meshes")),
    "frames": (msgid("frame"), msgid("frames")),
    "unit_systems": (msgid("unit system"), msgid("unit systems")),
    "winds": (msgid("wind"), msgid("winds")),
    "loads": (msgid("load"), msgid("loads")),
    "symmetry": (msgid("symmetry"), msgid("symmetries")),
    "outputs": (msgid("output"), msgid("outputs")),
    "runs": (msgid("run"), msgid("runs")),
    "studies": (msgid("study"), msgid("studies")),
    "assumed": (msgid("assumed number"), msgid("assumed numbers")),
}
"""What one element of a list is called, and several."""

NOUNS = {name: one for name, (one, _) in LIST_WORDS.items()}
UNKNOWN = {
    "segments": "unknown-segment",
    "joints": "unknown-joint",
    "planes": "unknown-plane",
    "functions": "unknown-function",
    "contact_laws": "unknown-law",
    "outputs": "unknown-output",
    "frames": "unknown-frame",
    "markers": "unknown-marker",
    "runs": "unknown-run",
}


def _no(noun: str) -> Sentence:
    return Sentence("no {noun}", noun=Sentence(noun))


def offer(wrong: str, known: Iterable[str], none: Words = NOTHING) -> Sentence:
    """Offer the nearest id, or those that there are."""
    names = list(known)
    there = Sentence("Known here: {names}.", names=listed(names)) if names else sentence_of(none)
    return did_you_mean(wrong, names) or there


def repeated(ids: Iterable[str]) -> list[str]:
    """Give the ids that stand more than once, each once, in order."""
    seen: set[str] = set()
    twice: dict[str, None] = {}
    for one in ids:
        if one in seen:
            twice[one] = None
        seen.add(one)
    return list(twice)


@finds(
    TOPOLOGY,
    error={
        "id-twice": "Two elements of one list have the same id.",
        "surface-id-twice": "Two surfaces of one segment have the same id.",
        "strap-id-twice": "Two straps of one harness have the same id.",
        "id-ground": "A segment is called 'ground', which always exists.",
    },
)
def unique_ids(index: Index) -> Iterator[Problem]:
    """Find ids that stand twice."""
    rename = Sentence("Rename one of them.")
    for name in LISTS:
        for one in repeated(item.id for item in getattr(index.project, name)):
            sentence = Sentence(
                "'{one}' stands more than once in {name}.", one=one, name=name.replace("_", " ")
            )
            yield problem("id-twice", f"{name}/{one}/id", sentence, rename)
    for segment, path in index.elements("segments"):
        if segment.id == GROUND:
            sentence = Sentence("'ground' is the segment that is always there and never moves.")
            yield problem("id-ground", f"{path}/id", sentence, "Choose another id.")
        for one in repeated(surface.id for surface in segment.surfaces):
            sentence = Sentence(
                "'{segment}' has more than one surface '{one}'.", segment=segment.id, one=one
            )
            yield problem("surface-id-twice", f"{path}/surfaces/{one}/id", sentence, rename)
    for harness, path in index.elements("harnesses"):
        for one in repeated(strap.id for strap in harness.straps):
            sentence = Sentence(
                "'{harness}' has more than one strap '{one}'.", harness=harness.id, one=one
            )
            yield problem("strap-id-twice", f"{path}/straps/{one}/id", sentence, rename)


@finds(
    TOPOLOGY,
    error={
        "unknown-segment": "A segment is named that does not exist.",
        "unknown-joint": "A joint is named that does not exist.",
        "unknown-plane": "A plane is named that does not exist.",
        "unknown-function": "A function is named that does not exist.",
        "unknown-law": "A contact law is named that does not exist.",
        "unknown-output": "An output is named that does not exist.",
        "unknown-run": "A run is named that does not exist.",
        "unknown-frame": "A frame is named that does not exist.",
        "unknown-marker": "A marker is named that does not exist.",
        "unknown-surface": "A surface is named that the segment does not have.",
        "unknown-element": "An output follows an element that does not exist.",
    },
)
def known_references(index: Index) -> Iterator[Problem]:
    """Find references that lead nowhere."""
    for ref in index.refs:
        known = index.by_id[ref.field.to]
        if ref.value in known or (ref.field.to == "segments" and ref.value == GROUND):
            continue
        noun = NOUNS[ref.field.to]
        hint = offer(ref.value, known, Sentence("The project has {no} yet.", no=_no(noun)))
        if ref.field.to == "functions" and _is_number(ref.value):
            hint = Sentence("Write a constant as a number, without quotes.")
        yield problem(
            UNKNOWN[ref.field.to],
            ref.path,
            Sentence("'{ref_value}' is {no}.", ref_value=ref.value, no=_no(noun)),
            hint,
        )
    for surface, path in index.surface_refs:
        segment: Segment | None = index.segments.get(surface.segment)
        where = f"{path}/surface"
        if surface.segment == GROUND:
            hint = Sentence("Use a plane, or a segment that is locked to ground.")
            yield problem("unknown-surface", where, "Ground has no surfaces.", hint)
        elif segment is not None and (segment.id, surface.surface) not in index.surfaces:
            sentence = Sentence(
                "'{surface}' is no surface of '{segment}'.",
                surface=surface.surface,
                segment=segment.id,
            )
            hint = offer(surface.surface, [s.id for s in segment.surfaces], "It has none.")
            yield problem("unknown-surface", where, sentence, hint)
    for output, path in index.of(ElementOutput):
        known = index.by_id[output.of]
        if output.element not in known:
            sentence = Sentence(
                "'{element}' is {no}.", element=output.element, no=_no(NOUNS[output.of])
            )
            hint = offer(
                output.element,
                known,
                Sentence("The project has {no} yet.", no=_no(NOUNS[output.of])),
            )
            yield problem("unknown-element", f"{path}/element", sentence, hint)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


QUANTITY_UNITS = {
    ("position", False): "m",
    ("velocity", False): "m/s",
    ("acceleration", False): "m/s2",
    ("position", True): "rad",
    ("velocity", True): "rad/s",
    ("acceleration", True): "rad/s2",
}


@finds(TOPOLOGY, error={"function-units": "A function has other units than are needed there."})
def function_units(index: Index) -> Iterator[Problem]:
    """Find functions whose units do not fit the place where they are used."""
    for ref in index.refs:
        if ref.field.to == "functions" and ref.field.x_unit:
            units = (ref.field.x_unit, ref.field.y_unit)
            if any("|" in unit for unit in units):
                turns = _turns_at(index, ref.path)
                units = (unit_of(units[0], turns), unit_of(units[1], turns))
            yield from _units(index, ref.value, ref.path, *units)
    for component, path in index.of(MotionComponent):
        if isinstance(component.pulse, History):
            turns = component.component in ("yaw", "pitch", "roll")
            y_unit = QUANTITY_UNITS[component.quantity, turns]
            where = f"{path}/pulse/function"
            yield from _units(index, component.pulse.function, where, "s", y_unit)
    for driver, path in (*index.elements("drivers"), *index.elements("frame_drivers")):
        if isinstance(driver.pulse, History):
            y_unit = QUANTITY_UNITS[driver.quantity, driver.turns]
            yield from _units(index, driver.pulse.function, f"{path}/pulse/function", "s", y_unit)
    for coupled, path in index.of(Coupled):
        if coupled.function is not None:
            given, wanted = (
                "rad" if axis.turns else "m" for axis in (coupled.first, coupled.second)
            )
            yield from _units(index, coupled.function, f"{path}/function", given, wanted)
    for load, path in index.of(Load):
        y_unit = "N" if load.kind == "force" else "N*m"
        yield from _units(index, load.history, f"{path}/history", "s", y_unit)


def _turns_at(index: Index, path: str) -> bool:
    """Whether the coordinate that rules at a path is an angle: that of its element, or of what is sensed there."""
    list_name, id_, *words = path.split("/")
    here: Any = index.by_id[list_name][id_]
    turns = bool(here.coordinate.turns)
    for word in words[:-1]:
        here = here[int(word)] if word.isdecimal() else getattr(here, word)
        if isinstance(here, Sensor | Reflex | PointMove | PointRange):
            turns = here.coordinate.turns
    return turns


def _units(index: Index, name: str, path: str, x_unit: str, y_unit: str) -> Iterator[Problem]:
    fn = index.functions.get(name)
    if fn is None or ((not y_unit or fn.y_unit == y_unit) and fn.x_unit == x_unit):
        return
    sentence = Sentence(
        "'{name}' gives {unit} by {unit_2}; {unit_3} by {unit_4} is needed here.",
        name=name,
        unit=_unit(fn.y_unit),
        unit_2=_unit(fn.x_unit),
        unit_3=_unit(y_unit),
        unit_4=_unit(x_unit),
    )
    yield problem("function-units", path, sentence, "Choose another function, or mend its units.")


def _unit(unit: str) -> Sentence | str:
    return Sentence("a pure number") if unit == "1" else unit


@finds(
    TOPOLOGY,
    error={
        "law-is-webbing": "A law for webbing is used where surfaces touch.",
        "law-not-webbing": "A law between surfaces is used for webbing.",
    },
)
def law_kinds(index: Index) -> Iterator[Problem]:
    """Find webbing laws between surfaces and surface laws in belts."""
    for ref in index.refs:
        if ref.field.to != "contact_laws" or ref.value not in index.by_id["contact_laws"]:
            continue
        is_webbing = isinstance(index.by_id["contact_laws"][ref.value], StrapLaw)
        needs_webbing = type(ref.holder).__name__ in ("Belt", "Strap")
        if is_webbing and not needs_webbing:
            sentence = Sentence(
                "'{ref_value}' is a law for webbing, by strain; surfaces need a law by depth.",
                ref_value=ref.value,
            )
            yield problem("law-is-webbing", ref.path, sentence, "Choose a law between surfaces.")
        elif needs_webbing and not is_webbing:
            sentence = Sentence(
                "'{ref_value}' is a law between surfaces; a belt needs a law for webbing.",
                ref_value=ref.value,
            )
            yield problem("law-not-webbing", ref.path, sentence, "Choose a law of kind webbing.")


GROUND_REFUSED: dict[tuple[str, str], tuple[str, str]] = {
    ("Motion", "segment"): ("ground-driven", msgid("Ground never moves; it takes no motion.")),
    ("RootStart", "segment"): ("ground-start", msgid("Ground never moves; it takes no start.")),
    ("AttitudeStart", "segment"): ("ground-start", msgid("Ground never turns; it takes no start.")),
    ("PlanarSymmetry", "segment"): ("ground-symmetry", msgid("Ground needs no symmetry.")),
    ("PairSymmetry", "first"): ("ground-symmetry", msgid("Ground needs no symmetry.")),
    ("PairSymmetry", "second"): ("ground-symmetry", msgid("Ground needs no symmetry.")),
    ("FlexibleElement", "segments"): ("ground-member", "Ground cannot be part of a chain."),
    ("BodyOutput", "segments"): ("ground-member", msgid("Ground has no mass to add up.")),
    ("ConvergenceTests", "segment"): (
        "ground-member",
        msgid("Ground never moves; test another one."),
    ),
    ("Segment", "mirror"): ("ground-mirror", msgid("Ground is on no side of the body.")),
    ("ModalBody", "segment"): ("ground-member", msgid("Ground does not bend.")),
    ("Tyre", "wheel"): ("ground-member", msgid("Ground is no wheel.")),
    ("Load", "segment"): ("ground-loaded", msgid("A load on ground has no effect.")),
}


@finds(
    TOPOLOGY,
    error={
        "ground-driven": "A motion is given to ground.",
        "ground-start": "A start is given to ground.",
        "ground-symmetry": "Ground is held symmetrical.",
        "ground-member": "Ground stands where only moving segments can.",
        "ground-mirror": "Ground is named as a mirror twin.",
    },
    warning={"ground-loaded": "A load acts on ground."},
)
def ground_where_it_cannot_be(index: Index) -> Iterator[Problem]:
    """Find ground where a segment that moves is needed."""
    for ref in index.refs:
        if ref.value == GROUND and ref.field.to == "segments":
            found = GROUND_REFUSED.get((type(ref.holder).__name__, ref.field.name))
            if found is not None:
                yield problem(found[0], ref.path, found[1], "Name a segment of the project.")


@finds(
    TOPOLOGY,
    error={"mirror-itself": "A segment is its own mirror twin."},
    warning={"mirror-one-sided": "A mirror twin does not name the segment in return."},
)
def mirror_twins(index: Index) -> Iterator[Problem]:
    """Find mirror twins that are not mutual."""
    for segment, path in index.elements("segments"):
        twin: Any = index.segments.get(segment.mirror) if segment.mirror else None
        if twin is segment:
            sentence = Sentence("'{segment}' is named as its own twin.", segment=segment.id)
            hint = Sentence("Leave it empty for a segment in the middle of the body.")
            yield problem("mirror-itself", f"{path}/mirror", sentence, hint)
        elif twin is not None and twin.mirror != segment.id:
            other = (
                Sentence("names '{twin}'", twin=twin.mirror)
                if twin.mirror
                else Sentence("names no twin")
            )
            sentence = Sentence(
                "'{segment}' names '{twin}' as its twin, but '{twin}' {other}.",
                segment=segment.id,
                twin=twin.id,
                other=other,
            )
            hint = Sentence(
                "Set the twin of '{twin}' to '{segment}'.", twin=twin.id, segment=segment.id
            )
            yield problem("mirror-one-sided", f"{path}/mirror", sentence, hint)
