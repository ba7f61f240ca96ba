"""Read from the schema what kind of editor each field needs; no Qt in here."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from solver.base.words import tr
from solver.project.criteria import judged_bodies
from solver.project.fields import Part
from solver.project.geometry import Orientation, SurfaceRef
from solver.project.schema import range_words, unit_of

_SPOKEN: dict[str, str] = {
    "lines": "straight lines",
    "spline_at_rest": "spline, level at its ends",
    "four_points": "cubics through four points",
    "points": "three corners",
    "frame": "frame and size",
    "dopri": "Dormand–Prince 5(4)",
    "bogacki_shampine": "Bogacki–Shampine 3(2)",
    "implicit": "implicit in what is stiff",
    "vei": "vector exponential",
    "energy_momentum": "energy and momentum kept",
    "rk4": "Runge–Kutta 4",
    "zyx": "z y x: yaw, pitch, roll",
    "zxz": "z x z: precession, nutation, spin",
    "pin_y": "pin about y",
    "pin_z": "pin about z",
    "hunt_crossley": "Hunt and Crossley",
    "3ms": "3 ms",
    "3ms_in_one": "3 ms in one peak",
    "T12_3ms": "T12, 3 ms",
    "lankarani_nikravesh": "Lankarani and Nikravesh",
    "kelvin_voigt": "spring and dashpot",
    "minimise": "smallest",
    "maximise": "largest",
    "max": "highest",
    "min": "lowest",
    "at": "at a time",
    "last": "at the end",
    "time_of_max": "time of the peak",
    "time_of_min": "time of the lowest",
    "rms": "r.m.s.",
    "mtvv": "MTVV",
    "vdv": "VDV",
    "dose": "motion sickness dose",
    "crest": "crest factor",
}
"""Words of the schema as people say them, where that is not the word itself."""

Editor = Literal[
    "number", "number_or_word", "count", "vector", "matrix", "numbers", "rows", "names", "text", "id", "flag", "choice", "ref", "refs",
    "number_or_ref", "surface", "surfaces", "turn", "part", "union", "parts",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """What the schema says of a field: editor, words, unit, what it may be."""

    name: str
    editor: Editor
    title: str
    about: str
    unit: str
    optional: bool = False
    target: str = ""
    x_unit: str = ""
    y_unit: str = ""
    choices: tuple[Any, ...] = ()
    models: tuple[type[Part], ...] = ()
    info: FieldInfo = field(default_factory=FieldInfo, compare=False)

    @property
    def words(self) -> tuple[str, ...]:
        """What may stand in place of an id."""
        extra = self.info.json_schema_extra
        words = extra.get("words") if isinstance(extra, dict) else None
        return tuple(map(str, words)) if isinstance(words, list) else ()

    @property
    def range(self) -> str:
        """Say between what it may lie."""
        return range_words(self.info)

    @property
    def label(self) -> str:
        """What the field is called."""
        return tr(self.title)

    @property
    def help(self) -> str:
        """Say what the field is for."""
        return tr(self.about)


@lru_cache(maxsize=512)
def fields_of(model: type[Part]) -> tuple[Shape, ...]:
    """The shapes of all fields of a model, in the order of the schema."""
    return tuple(_shape(name, info) for name, info in model.model_fields.items())


def field_of(model: type[Part], name: str) -> Shape:
    """The shape of one field."""
    return next(shape for shape in fields_of(model) if shape.name == name)


def _shape(name: str, info: FieldInfo) -> Shape:
    extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    kinds = [a for a in _alternatives(info.annotation) if a is not type(None)]
    optional = len(kinds) < len(list(_alternatives(info.annotation)))
    target = str(extra.get("refers_to", ""))
    models = tuple(k for k in kinds if isinstance(k, type) and issubclass(k, Part))
    literals = tuple(v for k in kinds if get_origin(k) is Literal for v in get_args(k))
    editor: Editor
    if literals:
        editor = "choice"
    elif models:
        editor = _part_editor(models)
    elif len(kinds) > 1:
        editor = "number_or_ref" if target else "number_or_word"
    else:
        editor, models = _plain_editor(name, kinds[0], target)
    return Shape(
        name,
        editor,
        info.title or name,
        info.description or "",
        unit_of(info),
        optional,
        target,
        str(extra.get("x_unit", "")),
        str(extra.get("y_unit", "")),
        literals,
        models,
        info,
    )


def _part_editor(models: tuple[type[Part], ...]) -> Editor:
    if models == (SurfaceRef,):
        return "surface"
    if models == (Orientation,):
        return "turn"
    return "part" if len(models) == 1 else "union"


def _plain_editor(name: str, kind: Any, target: str) -> tuple[Editor, tuple[type[Part], ...]]:
    if kind is bool:
        return "flag", ()
    if kind is str:
        return ("id" if name == "id" else "ref" if target else "text"), ()
    if kind in (float, int):
        return ("number" if kind is float else "count"), ()
    arguments = get_args(kind)
    assert get_origin(kind) is tuple, f"no editor for {kind}"
    inner = [a for a in _alternatives(arguments[0]) if a is not type(None)]
    if len(arguments) == 3 and arguments[1] is not Ellipsis:
        return ("matrix" if get_origin(inner[0]) is tuple else "vector"), ()
    models = tuple(k for k in inner if isinstance(k, type) and issubclass(k, Part))
    if models:
        return ("surfaces" if models == (SurfaceRef,) else "parts"), models
    if get_origin(inner[0]) is tuple:
        return "rows", ()
    return ("refs" if target else "names" if str in inner else "numbers"), ()


def _alternatives(annotation: Any) -> Iterator[Any]:
    """What a field may be, without the wrappings of limits and discriminators."""
    if get_origin(annotation) is Annotated:
        yield from _alternatives(get_args(annotation)[0])
    elif get_origin(annotation) in (Union, types.UnionType):
        for one in get_args(annotation):
            yield from _alternatives(one)
    else:
        yield annotation


def lowered(label: str) -> str:
    """Write a label inside a sentence; CSV and its like stay as they are."""
    return label if label[1:2].isupper() else label[:1].lower() + label[1:]


def raised(words: str) -> str:
    """Begin with a capital; names within stay as they are."""
    return words[:1].upper() + words[1:]


def word_label(value: Any) -> str:
    """Write a word of the schema as people do: 'half sine', 'pin about y'."""
    return tr(english_word(value))


def english_word(value: Any) -> str:
    """Write it in English, as it stands in the catalogue."""
    word = str(value)
    return _SPOKEN.get(word) or judged_bodies().get(word) or word.replace("_", " ")
