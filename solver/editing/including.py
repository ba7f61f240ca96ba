"""Put a whole project file into a project, and take it again once the file has changed.

Its elements stand in the project's own lists, behind the link's id and `_`. What of them is as it was taken follows the
file; what was changed by hand stays where the file still has that element as it was taken, else the update is refused.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from solver.base.words import Refusal, Sentence
from solver.editing.naming import id_from
from solver.project.changes import value_at
from solver.project.document import LISTS, Project
from solver.project.fields import Part
from solver.project.functions import Table, TwoRanges
from solver.project.geometry import Frame
from solver.project.includes import Include
from solver.project.joint_table import carrying
from solver.project.linked import refuse_circle
from solver.project.merging import OWN, MergeError, joined_to, merged, moved, prefixed
from solver.project.motions import AttitudeStart, Initial, RootStart
from solver.project.names import called_at, read_as_words
from solver.project.pose import carrier_of, plane_corners, start_pose
from solver.project.problems import listed
from solver.project.reading import open_project
from solver.project.references import redirected_part
from solver.project.saving import plain, text_of
from solver.project.segments import GROUND, Plane

LONGEST_ID = 80
STARTS = {"roots": "segment", "attitudes": "segment", "joints": "joint"}
"""Lists of the start, and by which field each of their entries is known."""

Items = dict[str, Part]
"""Elements by list and id, starts by `initial`, list and whose they are."""


class IncludeError(Refusal, ValueError):
    """Say in a sentence why a project cannot be put into another, or be taken again."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class Updated:
    """The project with an included file taken again: paths of what came, changed and went, and of what stayed as it was made by hand."""

    project: Project
    came: tuple[str, ...]
    changed: tuple[str, ...]
    went: tuple[str, ...]
    kept: tuple[str, ...]

    def __str__(self) -> str:
        """Count it in one sentence."""
        text = "New {came}, changed {changed}, gone {went}; changed by hand and kept {kept}."
        counts = {name: len(getattr(self, name)) for name in ("came", "changed", "went", "kept")}
        return str(Sentence(text, **counts))


class ChangedByHand(IncludeError):
    """Name what was changed by hand and is another in the file, too."""


def include(
    project: Project,
    file: Path | str,
    name: str = "",
    *,
    on: str = GROUND,
    frame: Frame | None = None,
    onto: str = "",
    home: Path | None = None,
) -> Project:
    """The project with all elements of a project file in it, and a link to the file; raises IncludeError or ProjectError.

    `name` is the link's id (one that is free, after the file, where it is empty), `on` the segment that carries it, `frame`
    its place there, from the element `onto` where one is given, `home` the project's own file.
    """
    place = frame or Frame()
    if onto:
        from_ = np.array(place_of(project, onto, on)) + np.array(place.position_m)
        place = place.model_copy(update={"position_m": tuple(map(float, from_))})
    path = Path(os.path.normpath(Path(file).absolute()))
    opened = open_project(path)
    name = name or _free_name(project, path, opened.project)
    if any(one.id == name for one in project.includes):
        raise IncludeError("There is an included project '{name}' already.", name=name)
    carrier = "" if on == GROUND else f"segments/{on}"
    try:
        link = Include(id=name, file=path.as_posix(), sha256=opened.digest, on=carrier, frame=place)  # fmt: skip
    except ValueError:
        raise IncludeError(
            "'{name}' is no name: it goes before ids, so it may have no blanks, slashes, dots, quotes or wildcards.",
            name=name,
        ) from None
    if home is not None:
        refuse_circle(home, (link,))
    piece = _piece(project, opened.project, link)
    try:
        made = merged(project, piece)
    except MergeError as failure:
        raise IncludeError(failure.said) from None
    links = (*project.includes, _with_taken(link, piece))
    return made.model_copy(update={"includes": links})


def place_of(project: Project, path: str, on: str = GROUND) -> tuple[float, float, float]:
    """Where an element is at the start, in the axes of a segment (m): the middle of a segment or a plane, else its first point; raises IncludeError."""
    pose, item = start_pose(project), value_at(project, path)
    list_, _, id_ = path.partition("/")
    if list_ == "segments" and id_ in pose:
        place = pose[id_].p_W
    elif isinstance(item, Plane) and item.segment in pose:
        corner, edge, other = plane_corners(item)
        place = pose[item.segment].of(corner + 0.5 * (edge + other))
    else:
        found = ((carrier_of(project, at), point) for at, point in _points_in(item, path))
        at, point = next(((s, p) for s, p in found if s in pose), ("", ()))
        if not at:
            raise IncludeError("'{path}' has no place onto which anything can be put.", path=path)
        place = pose[at].of(point)
    if on not in pose:
        raise IncludeError("There is no segment '{segment}'.", segment=on)
    x, y, z = (float(v) for v in pose[on].R_WS.T @ (place - pose[on].p_W))
    return x, y, z


def _points_in(item: object, path: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Paths and values of the points of an element, the first first."""
    if isinstance(item, tuple) and path.endswith("_m") and len(item) == 3:
        yield path, item
    elif isinstance(item, Part):
        for name in type(item).model_fields:
            yield from _points_in(getattr(item, name), f"{path}/{name}")
    elif isinstance(item, tuple):
        for number, one in enumerate(item):
            if isinstance(one, Part):
                yield from _points_in(one, f"{path}/{number}")


def update(
    project: Project, name: str, *, overwrite: bool = False, home: Path | None = None
) -> Updated:
    """Take the elements of an included project again from its file; raises IncludeError or ProjectError.

    What was changed or taken away by hand stays, where the file has that element as it was taken; where it has another one,
    ChangedByHand says which. With `overwrite` all becomes as the file has it.
    """  # fmt: skip
    link = link_of(project, name)
    if not Path(link.file).is_absolute():
        raise IncludeError("Where '{file}' is cannot be told before the project is in a folder: save it.", file=link.file)  # fmt: skip
    opened = open_project(link.file)
    if home is not None:
        refuse_circle(home, (link,))
    piece = _piece(project, opened.project, link)
    theirs, now, was = _items(piece), _items(project), _taken(link)
    twice = [key for key in theirs if key in now and key not in was]
    if twice:
        raise IncludeError(
            "The file has {paths} now, and so has this project: give these another id.", paths=listed(twice)
        )  # fmt: skip
    new, kept, clash = dict[str, Part | None](), list[str](), list[str]()
    for key in {**was, **theirs}:
        mine, other = now.get(key), theirs.get(key)
        is_by_hand = key in was and _digest_of(mine, link) != was[key]
        is_same = is_by_hand and _digest_of(other, link) == was[key]
        if is_by_hand and not overwrite and mine != other:
            (kept if is_same else clash).append(key)
        else:
            new[key] = other
    if clash:
        names = listed([_called(project, key) for key in clash])
        raise ChangedByHand(
            "Changed by hand here and another in the file now: {names}. An update that overwrites takes what the file has.",
            names=names,
        )
    made = _replaced(project, new)
    link = _with_taken(link.model_copy(update={"sha256": opened.digest}), piece)
    links = tuple(link if one.id == name else one for one in project.includes)
    return Updated(
        made.model_copy(update={"includes": links}),
        tuple(key for key in new if key not in now and new[key] is not None),
        tuple(key for key, one in new.items() if key in now and one not in (None, now[key])),
        tuple(key for key in new if key in now and new[key] is None),
        tuple(kept),
    )


def let_go(project: Project, name: str) -> Project:
    """The project without the link to an included file; its elements stay, and are its own from now on."""
    link = link_of(project, name)
    links = tuple(one for one in project.includes if one is not link)
    return project.model_copy(update={"includes": links})


def link_of(project: Project, name: str) -> Include:
    """The link of a name; raises IncludeError."""
    for one in project.includes:
        if one.id == name:
            return one
    there = listed(one.id for one in project.includes)
    raise IncludeError(
        "No project is included as '{name}'; there are: {there}.", name=name, there=there if project.includes else Sentence("none")
    )  # fmt: skip


def changed_by_hand(project: Project, name: str) -> tuple[str, ...]:
    """Paths of the elements and starts of an included project that are no longer as they were taken."""
    link, now = link_of(project, name), _items(project)
    return tuple(key for key, digest in _taken(link).items() if _digest_of(now.get(key), link) != digest)  # fmt: skip


def paths_of(project: Project, name: str) -> tuple[str, ...]:
    """Paths of the elements of an included project that are there."""
    now = _items(project)
    return tuple(key for key in _taken(link_of(project, name)) if key in now and not key.startswith("initial/"))  # fmt: skip


# The piece that a file is, and its digests.


def _piece(project: Project, other: Project, link: Include) -> Project:
    """The elements of a file as they are put into a project: named, carried and placed."""
    carrier = link.carrier or GROUND
    if carrier != GROUND and all(one.id != carrier for one in project.segments):
        raise IncludeError("There is no segment '{carrier}' to carry '{name}'.", carrier=carrier, name=link.id)  # fmt: skip
    other = other.model_copy(
        update={"includes": (), "functions": tuple(map(_alone, other.functions))} | dict.fromkeys(OWN, ())
    )  # fmt: skip
    if link.frame != Frame() or carrier != GROUND:
        other = other.model_copy(update={"initial": _told(other)})
    piece = moved(other, link.frame.position_m, link.frame.orientation)
    piece = prefixed(piece, link.id, carrier)
    if carrier != GROUND:
        piece = joined_to(piece, start_pose(project)[carrier])
    long = [one.id for name in LISTS for one in getattr(piece, name) if len(one.id) > LONGEST_ID]
    if long:
        raise IncludeError("{ids} would have more than 80 characters: choose a shorter name.", ids=listed(long))  # fmt: skip
    heading = read_as_words(link.id)
    lists = {
        name: tuple(
            one.model_copy(update={"group": f"{heading}/{one.group}" if one.group else heading})
            for one in getattr(piece, name)
        )
        for name in LISTS
    }
    return piece.model_copy(update=lists)


def _alone(function: Any) -> Any:
    """A function whose points stand in it and not in a file beside the project that it is from."""
    form = function.form
    if isinstance(form, Table) and form.csv is not None:
        form = form.model_copy(update={"csv": None})
    elif isinstance(form, TwoRanges):
        pieces = {
            name: piece.model_copy(update={"csv": None})
            for name, piece in (("first", form.first), ("second", form.second))
            if isinstance(piece, Table) and piece.csv is not None
        }
        form = form.model_copy(update=pieces) if pieces else form
    return function if form is function.form else function.model_copy(update={"form": form})


def _told(project: Project) -> Initial:
    """The start with a word for each root, so that those of which nothing is said go along, too."""
    start = project.initial
    held = {joint.child for joint in carrying(project.joints)}
    roots = [one.id for one in project.segments if one.id not in held]
    placed, turned = {one.segment for one in start.roots}, {one.segment for one in start.attitudes}
    return start.model_copy(
        update={
            "roots": (*start.roots, *(RootStart(segment=one) for one in roots if one not in placed)),
            "attitudes": (*start.attitudes, *(AttitudeStart(segment=one) for one in roots if one not in turned)),
        }
    )  # fmt: skip


def _items(project: Project) -> Items:
    lists = {f"{name}/{one.id}": one for name in LISTS if name not in OWN for one in getattr(project, name)}  # fmt: skip
    starts = {
        f"initial/{name}/{getattr(one, who)}": one
        for name, who in STARTS.items()
        for one in getattr(project.initial, name)
    }
    return {**lists, **starts}


def _taken(link: Include) -> Mapping[str, str]:
    pairs = (one.rpartition(" ") for one in link.taken)
    return {key: digest for key, _, digest in pairs}


def _with_taken(link: Include, piece: Project) -> Include:
    taken = tuple(f"{key} {_digest_of(one, link)}" for key, one in _items(piece).items())
    return link.model_copy(update={"taken": taken})


def _digest_of(item: Part | None, link: Include) -> str:
    """What tells an element from any other, whatever its carrier is called; empty for none."""
    if item is None:
        return ""
    if link.carrier:
        item = redirected_part(item, {("segments", link.carrier): ("segments", "@carrier")})
    return hashlib.sha256(text_of(plain(item)).encode()).hexdigest()[:16]


def _replaced(project: Project, new: Mapping[str, Part | None]) -> Project:
    """The project with some items in the places of those that were there, without some, and the rest behind."""
    update, start = dict[str, Any](), dict[str, Any]()
    now = _items(project)
    for name in LISTS:
        if name not in OWN:
            update[name] = _list(getattr(project, name), f"{name}/", "id", new, now)
    for name, who in STARTS.items():
        start[name] = _list(getattr(project.initial, name), f"initial/{name}/", who, new, now)
    return project.model_copy(update=update | {"initial": project.initial.model_copy(update=start)})


def _list(
    there: tuple[Any, ...], ahead: str, who: str, new: Mapping[str, Part | None], now: Items
) -> tuple[Any, ...]:
    """One list, with what is new of it."""
    stay = [new.get(f"{ahead}{getattr(one, who)}", one) for one in there]
    more = [one for key, one in new.items() if key.startswith(ahead) and key not in now]
    return tuple(one for one in (*stay, *more) if one is not None)


def _called(project: Project, key: str) -> str:
    if key.startswith("initial/"):
        return str(Sentence("start of {name}", name=key.rpartition("/")[2]))
    return called_at(project, key)


def _free_name(project: Project, file: Path, other: Project) -> str:
    """A name after the file under which nothing clashes: seat, seat_2."""
    base = id_from(file.stem)[:40] or "project"
    there = set(_items(project)) | {one.id for one in project.includes}
    name, number = base, 1
    while name in there or any(_behind(name, key) in there for key in _items(other)):
        number += 1
        name = f"{base}_{number}"
    return name


def _behind(name: str, key: str) -> str:
    list_, _, id_ = key.rpartition("/")
    return f"{list_}/{name}_{id_}"
