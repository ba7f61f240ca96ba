"""Follow references through the document: rename an element, or take elements away, everywhere at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from annotated_types import MinLen

from solver.base.words import Sentence
from solver.project.changes import value_at, with_value, words_of
from solver.project.checks.walk import Plan, plan
from solver.project.document import LISTS, Project
from solver.project.fields import Part
from solver.project.frames import OwnFrame
from solver.project.geometry import SurfaceRef
from solver.project.outputs import ElementOutput
from solver.project.problems import ProjectError, error
from solver.project.segments import GROUND
from solver.project.studies import AssumedNumber

Key = tuple[str, ...]
"""What can be referred to: (list, id), ('surfaces', segment, surface), or ('straps', harness, strap)."""

LISTED_IN = {"strap_points": "harnesses", "airbag_contacts": "airbags", "point_contacts": "constraints", "couplings": "constraints", "closures": "constraints", "curve_points": "constraints", "actuators": "coordinate_forces", "beam_stations": "beams", "modes": "modal_bodies", "modal_nodes": "modal_bodies"}  # fmt: skip
"""Lists of the project whose elements results tell of under another name."""


def key_of(path: str) -> Key | None:
    """The key of an element, a surface or a strap; None for what nothing can refer to."""
    words = words_of(path)
    if len(words) == 2 and words[0] in LISTS:
        return words[0], words[1]
    if len(words) == 4 and (words[0], words[2]) in (("segments", "surfaces"), ("harnesses", "straps")):  # fmt: skip
        return words[2], words[1], words[3]
    return None


def renamed(project: Project, path: str, new: str) -> Project:
    """Give an element, surface, strap, or a node or member of a crash frame another id, and follow it in all that refers to it.

    Raises ProjectError where the id is no id, or is taken.
    """
    words = words_of(path)
    holder = value_at(project, "/".join(words[:-1]))
    if new == words[-1]:
        return project
    is_segment = words[0] == "segments" and len(words) == 2
    if any(one.id == new for one in holder) or (is_segment and new == GROUND):
        sentence = Sentence("The id '{new}' is taken.", new=new)
        raise ProjectError([error("id-twice", f"{path}/id", sentence, "Choose another one.")])
    out = with_value(project, f"{path}/id", new)
    key = key_of(path)
    if key is None:
        return _renamed_in_frame(project, out, words, new) if words[0] == "crash_frames" else out
    ways: dict[Key, Key] = {key: (*key[:-1], new)}
    ways |= {(list_, one): (list_, new + one[len(words[-1]) :]) for list_, one in made_of(project, key)}  # fmt: skip
    return redirected(out, ways)


def _renamed_in_frame(project: Project, out: Project, words: Sequence[str], new: str) -> Project:
    """Follow the new id of a node or a member within its frame, and in all that refers to what it is made into."""
    if len(words) != 4:
        return out
    old, list_ = words[3], f"crash_frames/{words[1]}/members"
    if words[2] == "nodes":
        members = [
            one.model_copy(update={end: new for end in ("a", "b") if getattr(one, end) == old})
            for one in value_at(out, list_)
        ]
        out = with_value(out, list_, members)
    own = f"{words[1]}#{old}"
    ways: dict[Key, Key] = {
        (into, one): (into, f"{words[1]}#{new}{one[len(own) :]}")
        for into, one in made_of(project, ("crash_frames", words[1]))
        if one == own or one.startswith(f"{own}#")
    }
    return redirected(out, ways)


def made_of(project: Project, key: Key) -> Iterator[tuple[str, str]]:
    """The pieces of a part that consists of others, which can be named where others of their list can."""
    for frame in project.crash_frames if key[0] == "crash_frames" else ():
        if frame.id == key[1]:
            names = [*(one.id for one in frame.nodes), *(one.id for one in frame.members)]
            yield from (("segments", frame.called(one)) for one in names)
            yield from (("coordinate_forces", one) for one in frame.hinge_names)
            yield from (("joints", frame.called(node.id)) for node in frame.nodes)
            # where a member closes a ring a constraint joins it, else a joint
            for member in frame.members:
                for end in ("a", "b"):
                    name = frame.called(f"{member.id}#{end}")
                    yield from ((list_, name) for list_ in ("joints", "constraints"))
    if key[0] == "beams":
        for beam in project.beams:
            if beam.id == key[1]:
                yield from (("segments", one) for one in beam.stations)
                yield from (
                    (list_, one) for list_ in ("joints", "springs") for one in beam.stations[1:]
                )
                yield from (("joints", f"{beam.id}#{which}") for which in ("start", "end"))


def redirected(project: Project, ways: Mapping[Key, Key]) -> Project:
    """Let every reference to one key lead to another; untouched parts are shared."""
    changed: Project = redirected_part(project, ways)
    return changed


def redirected_part(part: Any, ways: Mapping[Key, Key]) -> Any:
    """Redirect the references of one part."""
    update: dict[str, Any] = {}
    for name, key, value in _own_references(part):
        if key in ways:
            update[name] = ways[key][-1] if isinstance(value, str) else value
    fields = _plan(part)
    for ref in fields.refs:
        value = getattr(part, ref.name)
        if isinstance(value, tuple):
            new = tuple(ways.get((ref.to, one), (one,))[-1] for one in value)
            if new != value:
                update[ref.name] = new
    if isinstance(part, SurfaceRef):
        # the surface's key is looked for after its segment's: both may move
        segment = update.get("segment", part.segment)
        key = ("surfaces", segment, part.surface)
        old = ("surfaces", part.segment, part.surface)
        found = ways.get(key) or ways.get(old)
        if found is not None:
            update["surface"] = found[-1]
    model: type[Part] = type(part)
    for name in _leading(model):
        value = getattr(part, name)
        led = tuple(_led(one, ways) for one in value) if isinstance(value, tuple) else _led(value, ways)  # fmt: skip
        if led != value:
            update[name] = led
    for name in fields.inner:
        value = getattr(part, name)
        if isinstance(value, Part):
            new_part = redirected_part(value, ways)
            if new_part is not value:
                update[name] = new_part
        elif isinstance(value, tuple):
            items = tuple(redirected_part(v, ways) if isinstance(v, Part) else v for v in value)
            if any(a is not b for a, b in zip(items, value, strict=True)):
                update[name] = items
    return part.model_copy(update=update) if update else part


@cache
def _leading(model: type[Part]) -> tuple[str, ...]:
    """Name the fields that hold paths, or names of results that begin with an element."""
    extras = ((name, field.json_schema_extra) for name, field in model.model_fields.items())
    return tuple(name for name, extra in extras if isinstance(extra, dict) and "leads_to" in extra)


def _led(path: str, ways: Mapping[Key, Key]) -> str:
    """Follow a path such as segments/head/mass_kg, or a channel such as pull_force_x of the output pull."""
    words = path.split("/")
    if len(words) == 1:
        for key, new in ways.items():
            if key[0] == "outputs" and (path == key[1] or path.startswith(f"{key[1]}_")):
                return new[-1] + path.removeprefix(key[1])
        return path
    id_, mark, point = words[1].partition("[")
    inner = (words[2], words[1], words[3]) if words[4:] else ()
    if inner in ways:
        words[3] = ways[inner][-1]
    words[1] = _led_name(LISTED_IN.get(words[0], words[0]), id_.split("."), ways) + mark + point
    return "/".join(words)


def _led_name(list_: str, parts: list[str], ways: Mapping[Key, Key]) -> str:
    """Follow the name of an element of results: an id, harness.strap, element.segment, or bag.segment.surface."""
    keys: list[Key] = [(list_, parts[0])]
    if list_ == "harnesses" and len(parts) > 1:
        keys.append(("straps", *parts[:2]))
    if list_ in ("airbags", "flexible_elements") and len(parts) > 1:
        keys += [("segments", parts[1]), ("surfaces", *parts[1:])]
    names = [ways[key][-1] if key in ways else part for key, part in zip(keys, parts, strict=False)]
    return ".".join([*names, *parts[len(names) :]])


def _own_references(part: Any) -> Iterator[tuple[str, Key, Any]]:
    """The single references of a part: field, key, value."""
    for ref in _plan(part).refs:
        value = getattr(part, ref.name)
        if isinstance(value, str) and value not in ref.words:
            yield ref.name, (ref.to, value), value
    if isinstance(part, ElementOutput):
        yield "element", (part.of, part.element), part.element


def keys_in(part: Any) -> Iterator[Key]:
    """Every key that a part refers to, at any depth; of an assumed number what its paths lead to."""
    if isinstance(part, AssumedNumber):
        yield from _led_to(part)
    for _, key, _ in _own_references(part):
        yield key
    if isinstance(part, SurfaceRef):
        yield "surfaces", part.segment, part.surface
    fields = _plan(part)
    for ref in fields.refs:
        value = getattr(part, ref.name)
        if isinstance(value, tuple):
            yield from ((ref.to, one) for one in value)
    for name in fields.inner:
        value = getattr(part, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Part):
                yield from keys_in(one)


def needs(project: Project) -> dict[str, set[Key]]:
    """What each element refers to, by path; ranges of assumed numbers need nothing: they go with their numbers."""
    return {
        f"{name}/{item.id}": set(keys_in(item))
        for name in LISTS
        for item in getattr(project, name)
        if not isinstance(item, AssumedNumber)
    }


@dataclass(frozen=True, slots=True)
class Removal:
    """Hold a project without some elements, and what went or changed with them."""

    project: Project
    removed: tuple[str, ...]
    mended: tuple[str, ...]
    """Elements that referred to them and now do without, by path."""


def _plan(part: Any) -> Plan:
    model: type[Part] = type(part)
    return plan(model)


def _led_to(one: AssumedNumber) -> Iterator[Key]:
    """The elements that the paths of an assumed number lead to."""
    for path in (one.path, *one.along):
        words = words_of(path)
        if len(words) > 1:
            yield words[0], words[1]


def with_led_ranges(project: Project) -> Project:
    """Leave out the ranges of assumed numbers that are no longer there."""

    def leads(path: str) -> bool:
        try:
            return value_at(project, path) is not None
        except ProjectError:
            return False

    kept = tuple(one for one in project.assumed if all(map(leads, (one.path, *one.along))))
    if len(kept) == len(project.assumed):
        return project
    return project.model_copy(update={"assumed": kept})


class _Gone(Exception):
    """Say that a part cannot be without what it refers to."""


def without(project: Project, *paths: str) -> Removal:
    """Take elements or surfaces away, and mend what refers to them.

    An optional reference becomes none, one with a default of its own becomes that, and an entry of
    a list of references is left out. Where a part cannot be without it, the part goes too: an entry
    from its list, an optional part from its holder, otherwise the whole element.
    """
    removed: dict[str, None] = {}
    mended: dict[str, None] = {}
    doomed: set[Key] = set()
    finished: set[Key] = set()
    out = project
    for path in paths:
        words = words_of(path)
        key = key_of(path)
        if key is not None:
            doomed |= {key, *made_of(project, key)}
        if len(words) > 2:
            out = _without_entry(out, words)
            removed[path] = None
    while doomed:
        doomed |= _surfaces_of(out, doomed)
        update: dict[str, Any] = {}
        for name in LISTS:
            items = getattr(out, name)
            kept = []
            for item in items:
                new = None if (name, item.id) in doomed else _lessened_or_none(item, doomed)
                if new is None:
                    removed[f"{name}/{item.id}"] = None
                else:
                    kept.append(new)
                    if new is not item:
                        mended[f"{name}/{item.id}"] = None
            if not _same(kept, items):
                update[name] = tuple(kept)
        initial = _lessened(out.initial, doomed)
        if initial is not out.initial:
            update["initial"] = initial
        out = out.model_copy(update=update)
        lost = {f"assumed/{one.id}" for one in out.assumed if doomed & {*_led_to(one)}}
        if lost:
            removed |= dict.fromkeys(lost)
            kept_ranges = tuple(one for one in out.assumed if f"assumed/{one.id}" not in lost)
            out = out.model_copy(update={"assumed": kept_ranges})
        finished |= doomed
        doomed = {key for path in removed if (key := key_of(path)) is not None}
        doomed = {*doomed, *(one for key in doomed for one in made_of(project, key))} - finished
    return Removal(out, tuple(removed), tuple(path for path in mended if path not in removed))


def _without_entry(project: Project, words: list[str]) -> Project:
    """Take one entry out of a list inside an element."""
    holder = "/".join(words[:-1])
    items = value_at(project, holder)
    gone = value_at(project, "/".join(words))
    return with_value(project, holder, tuple(one for one in items if one is not gone))


def _surfaces_of(project: Project, keys: set[Key]) -> set[Key]:
    return {
        ("surfaces", segment.id, surface.id)
        for segment in project.segments
        if ("segments", segment.id) in keys
        for surface in segment.surfaces
    }


def _same(items: Sequence[Any], others: Sequence[Any]) -> bool:
    return len(items) == len(others) and all(a is b for a, b in zip(items, others, strict=True))


def _lessened_or_none(part: Any, keys: set[Key]) -> Any:
    try:
        return _lessened(part, keys)
    except _Gone:
        return None


def _lessened(part: Any, keys: set[Key]) -> Any:
    """A part without references to `keys`; raises _Gone where it cannot be without."""
    update: dict[str, Any] = {}
    for name, key, value in _own_references(part):
        if key in keys and isinstance(value, str):
            update[name] = _instead(part, name)
    if isinstance(part, SurfaceRef) and ("surfaces", part.segment, part.surface) in keys:
        raise _Gone
    fields = _plan(part)
    for ref in fields.refs:
        value = getattr(part, ref.name)
        if isinstance(value, tuple):
            left = tuple(one for one in value if (ref.to, one) not in keys)
            if len(left) != len(value):
                update[ref.name] = _long_enough(part, ref.name, left)
    for name in fields.inner:
        value = getattr(part, name)
        if isinstance(value, Part):
            new = _inner(part, name, value, keys)
            if new is not value:
                update[name] = new
        elif isinstance(value, tuple):
            items = tuple(_entries(value, keys))
            if len(items) != len(value):
                update[name] = _long_enough(part, name, items)
            elif any(a is not b for a, b in zip(items, value, strict=True)):
                update[name] = items
    some = getattr(part, "NEEDS_ONE_OF", ())
    if some and not any(update.get(name, getattr(part, name)) for name in some):
        raise _Gone
    return part.model_copy(update=update) if update else part


def _inner(part: Any, name: str, value: Part, keys: set[Key]) -> Any:
    try:
        return _lessened(value, keys)
    except _Gone:
        return _instead(part, name)


def _entries(items: tuple[Any, ...], keys: set[Key]) -> Iterator[Any]:
    for one in items:
        try:
            yield _lessened(one, keys) if isinstance(one, Part) else one
        except _Gone:
            continue


def _instead(part: Any, name: str) -> Any:
    """Give what a field holds without its reference: its default, unless it is needed."""
    field = type(part).model_fields[name]
    # a plane of a removed vehicle belongs to the vehicle; it does not fall to the ground
    # a frame in a removed frame would be elsewhere in the segment
    # and a load along the axes of a removed segment would point elsewhere
    if (
        field.is_required()
        or (name == "segment" and field.default == GROUND)
        or (name == "relative_to" and isinstance(part, OwnFrame))
        or name == "axes"
    ):
        raise _Gone
    return field.get_default(call_default_factory=True)


def _long_enough(part: Any, name: str, items: tuple[Any, ...]) -> tuple[Any, ...]:
    least = [
        rule.min_length
        for rule in type(part).model_fields[name].metadata
        if isinstance(rule, MinLen)
    ]
    if least and len(items) < max(least):
        raise _Gone
    return items
