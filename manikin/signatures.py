"""Show what a builder takes: its fields, with types, units, defaults and help, as `help` and completion ask for them."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from solver.project.fields import Element
from solver.project.schema import default_words, kind_words, models_of, range_words, unit_of

ADDED = {
    "joints": ("joint", "Add a joint of `parent` and `child`, by its `kind`."),
    "planes": ("plane", "Add a flat contact surface of a `segment`, with its `placement`."),
    "functions": ("function", "Add a curve by its `form`: a table, a polynomial, a pulse."),
    "contact_laws": ("contact_law", "Add a law of contacts, belts or harnesses, by its `kind`."),
    "contacts": (
        "contact",
        "Add a pair that may touch, of `kind` plane or surfaces, with its `law`.",
    ),
    "belts": ("belt", "Add a simple belt over one surface."),
    "harnesses": (
        "harness",
        "Add `straps` that slip over several segments, with devices at their ends.",
    ),
    "airbags": ("airbag", "Add an airbag with its gas, vents, trigger and what it `touches`."),
    "springs": ("spring", "Add a spring, a damper or a bushing, by its `kind`."),
    "tyres": ("tyre", "Add a tyre: a `wheel` that rolls on `roads`, with brake and drive."),
    "coordinate_forces": (
        "coordinate_force",
        "Add `laws` on a `coordinate`: an axis of a joint, a distance, a component or an angle.",
    ),
    "tension_elements": ("tension_element", "Add a heavy string."),
    "constraints": ("constraint", "Add a relation beyond the trees, by its `kind`."),
    "beams": (
        "beam",
        "Add a beam of a `section`, which bends, twists and, where asked, stretches.",
    ),
    "crash_frames": (
        "crash_frame",
        "Add a frame of `members` between `nodes` that folds in plastic hinges at their ends.",
    ),
    "flexible_elements": ("flexible_element", "Add a chain of segments slaved to its ends."),
    "modal_bodies": (
        "modal_body",
        "Let a segment bend by `shapes`, those of a beam or given ones.",
    ),
    "motions": ("motion", "Add a prescribed motion of a segment."),
    "drivers": ("driver", "Add a driver, which moves one `axis` of a `joint` as prescribed."),
    "frame_drivers": (
        "frame_driver",
        "Add a driver of one `component` of a frame `moved`, as seen from another.",
    ),
    "winds": ("wind", "Add a wind on surfaces."),
    "loads": ("load", "Add a force or torque by a `history`."),
    "symmetry": (
        "symmetry",
        "Add segments that are held symmetrical, to a plane or to each other.",
    ),
    "markers": (
        "marker",
        "Add a marker at `point_m` of a `segment`, that tracks of a test go by.",
    ),
    "frames": (
        "frame",
        "Add an own frame on a `segment` or within another frame: origin, turn, reversed axis, angles between axes.",
    ),
    "unit_systems": ("unit_system", "Add an own system of `units`, one of each kind."),
    "outputs": ("output", "Add channels or an injury figure, by the `kind` of what is recorded."),
    "runs": (
        "run",
        "Add a way to solve: `duration_s`, `integrator`, rates of frames and channels.",
    ),
    "assumed": (
        "assumed_number",
        "Add the range of a number that was not measured, by its `path`; a band shows what it leaves open (docs/studies.md).",
    ),
    "studies": (
        "study",
        "Add a study by its `kind`, with its `parameters` and `responses` (docs/studies.md).",
    ),
}
"""Of each list the word for one of its elements and what its builder does; others are written by hand."""

F = TypeVar("F", bound=Callable[..., Any])


FILLED = {"inertia_kgm2": "of its shape, or of its largest surface"}
"""Fields that a file must have and a builder finds, and of what."""


def field_line(name: str, field: FieldInfo) -> str:
    """One line on a field: label, unit, range and default, then its help."""
    default = FILLED.get(name) or default_words(field).replace("`", "")
    extra = field.json_schema_extra
    target = extra.get("refers_to") if isinstance(extra, dict) else None
    words = (unit_of(field).replace("|", " or "), range_words(field), default)
    about = ", ".join(word for word in (f"id in {target}" if target else "", *words) if word)
    return f"{field.title} ({about}): {' '.join((field.description or '').split())}"


def described(list_: str, **others: str) -> Callable[[F], F]:
    """Give a builder of elements the signature and the help of their fields, and of other keywords the types."""

    def decorate(builder: F) -> F:
        models = models_of(list_)
        builder.about = builder.__doc__, models  # type: ignore[attr-defined]  # for the page of names
        builder.__doc__ = f"{inspect.cleandoc(builder.__doc__ or '')}\n\n{_help(models)}"
        builder.__signature__ = _signature(models, others)  # type: ignore[attr-defined]
        return builder

    return decorate


# What is shown.


def _signature(models: tuple[type[Element], ...], others: dict[str, str]) -> inspect.Signature:
    """All fields of some kinds as keywords; a default that is not the same for all of them is not shown."""
    P = inspect.Parameter
    out = [P("self", P.POSITIONAL_OR_KEYWORD), P("id", P.POSITIONAL_OR_KEYWORD, annotation="str")]
    out += [P(n, P.KEYWORD_ONLY, default=None, annotation=words) for n, words in others.items()]
    names = list(dict.fromkeys(name for model in models for name in model.model_fields))
    names.sort(key=lambda name: (name != "kind", name in Element.model_fields))
    for name in (one for one in names if one != "id"):
        fields = [model.model_fields[name] for model in models if name in model.model_fields]
        default: Any = fields[0].default
        if name == "kind" and len(models) > 1:
            default = P.empty
        elif len(fields) < len(models) or any(one.default != default for one in fields):
            default = _UNSAID
        elif fields[0].is_required():
            default = None if name in FILLED else P.empty
        words = _words(one.annotation for one in fields)
        out.append(P(name, P.KEYWORD_ONLY, default=default, annotation=words))
    return inspect.Signature(out, return_annotation="Self")


class _Unsaid:
    """A default that is not the same for all kinds."""

    def __repr__(self) -> str:
        return "..."


_UNSAID = _Unsaid()


def _words(annotations: Iterable[Any]) -> str:
    """The union of some types in words, with all choices in one."""
    leaves = [leaf for one in annotations for leaf in _leaves(one)]
    choices = dict.fromkeys(
        a for one in leaves if get_origin(one) is Literal for a in get_args(one)
    )
    others = dict.fromkeys(_name(one) for one in leaves if get_origin(one) is not Literal)
    return " | ".join(
        [*([f"Literal[{', '.join(map(repr, choices))}]"] if choices else ()), *others]
    )


def _leaves(annotation: Any) -> Iterator[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    inside = arguments[:1] if origin is Annotated else arguments
    if origin in (Annotated, Union, types.UnionType):
        for one in inside:
            yield from _leaves(one)
    else:
        yield annotation


def _name(annotation: Any) -> str:
    if get_origin(annotation) is tuple:
        inside = ("..." if a is ... else _words([a]) for a in get_args(annotation))
        return f"tuple[{', '.join(inside)}]"
    return "None" if annotation is type(None) else str(annotation.__name__)


def _help(models: tuple[type[Element], ...]) -> str:
    """A line for each field: those that all kinds share, then those of each kind."""
    lines = [{name: field_line(name, one) for name, one in m.model_fields.items()} for m in models]
    shared = [
        name for name, line in lines[0].items() if all(one.get(name) == line for one in lines)
    ]
    shared = sorted((n for n in shared if n not in ("id", "kind")), key=lambda n: n in Element.model_fields)  # fmt: skip
    out = [f"{name}: {lines[0][name]}" for name in shared]
    for model, own in zip(models, lines, strict=True) if len(models) > 1 else ():
        first = (model.__doc__ or "").partition("\n")[0]
        out += ["", f"{' or '.join(f'kind={kind!r}' for kind in kind_words(model))}: {first}"]
        out += [f"    {name}: {line}" for name, line in own.items() if name not in (*shared, "id", "kind")]  # fmt: skip
    return "\n".join(out)
