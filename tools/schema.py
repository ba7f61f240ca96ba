"""Write the types of what the public library takes, from the schema: `manikin/schema/` and `manikin/adding.py`.

A part of the schema is a dictionary of its fields there (PEP 692): keyword arguments, nested data and editors
all go by that one description.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from manikin.signatures import ADDED, FILLED, field_line
from solver.project.document import LISTS, Project
from solver.project.fields import Element, Part
from solver.project.motions import AttitudeStart, RootStart
from solver.project.schema import models_of
from solver.project.solids import Solid

ROOT = Path(__file__).resolve().parent.parent
HOUSE = "solver.project."
GIVEN = {(RootStart, "segment"), (AttitudeStart, "segment")}
"""Fields that a builder takes as its first argument, as it does the id of an element."""
ROOTS: list[Any] = [
    *(Project.model_fields[name].annotation for name in LISTS),
    RootStart,
    AttitudeStart,
    Solid,
]
"""What builders take."""
_MADE = "Made from the schema by `make docs`; do not edit it."
_NUMBERS = {"Numbers", "Vec3", "Matrix3"}


def pages() -> dict[str, Callable[[], str]]:
    """What is written, by file."""
    files = {name: partial(_source, name) for name in (*_homes(), "__init__")}
    return {
        **{f"manikin/schema/{name}.py": produce for name, produce in files.items()},
        "manikin/adding.py": _adding,
    }


# What there is: the parts that users write, in the files of the schema, and its names for choices.


@cache
def _parts() -> tuple[type[Part], ...]:
    """Every part that users write, and what those are made from."""
    found: dict[type[Part], None] = {}
    waiting: list[type[Part]] = [part for one in ROOTS for part in _within(one)]
    while waiting:
        model = waiting.pop(0)
        if model in found or model is Part:
            continue
        found[model] = None
        waiting += [base for base in model.__bases__ if issubclass(base, Part)]
        for one in model.model_fields.values():
            waiting += _within(one.annotation)
    return tuple(found)


@cache
def _fields() -> list[Any]:
    """What is given anywhere: the types of all fields."""
    return [*ROOTS, *(one.annotation for m in _parts() for one in m.model_fields.values())]


@cache
def _written() -> frozenset[type[Part]]:
    """The parts that stand in a field or a list, and those that they are made from."""
    out = {part for one in _fields() for part in _within(one)}
    waiting = list(out)
    while waiting:
        more = [one for one in _shape(waiting.pop())[0] if one not in out]
        waiting += more
        out.update(more)
    return frozenset(out)


@cache
def _homes() -> dict[str, list[type[Part]]]:
    """The files, each with its parts in their order there."""
    out: dict[str, list[type[Part]]] = {}
    for model in _written():
        out.setdefault(model.__module__.removeprefix(HOUSE), []).append(model)
    for name, models in out.items():
        order = list(vars(import_module(HOUSE + name)))
        models.sort(key=lambda one: order.index(one.__name__))
    return dict(sorted(out.items()))


def _within(annotation: Any) -> Iterator[type[Part]]:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
    for argument in get_args(annotation):
        yield from _within(argument)


@cache
def _tagged() -> frozenset[type[Part]]:
    """Parts that stand for one kind among several, which `kind` tells apart."""
    return frozenset(part for one in _fields() for part in _in_unions(one))


def _in_unions(annotation: Any) -> Iterator[type[Part]]:
    arguments = get_args(annotation)
    if get_origin(annotation) in (Union, types.UnionType):
        parts = [a for a in arguments if isinstance(a, type) and issubclass(a, Part)]
        yield from parts if len(parts) > 1 else []
    for argument in arguments:
        yield from _in_unions(argument)


@cache
def _names() -> dict[Any, tuple[str, str]]:
    """Where choices and unions of the schema have a name: the file and the name."""
    out: dict[Any, tuple[str, str]] = {}
    for home in (*_homes(), "document"):
        module = import_module(HOUSE + home)
        for name in _assigned(inspect.getsource(module)):
            plain = _plain(vars(module).get(name))
            is_union = get_origin(plain) in (Union, types.UnionType) and any(_within(plain))
            if is_union or get_origin(plain) is Literal:
                out.setdefault(plain, (home, name))
    return out


def _assigned(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id


def _plain(annotation: Any) -> Any:
    """An annotation without what only the check of a field needs."""
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


# The sources.


@dataclass
class _Page:
    """One file while it is written: what it needs of others, and its names."""

    home: str
    needs: set[tuple[str, str]] = field(default_factory=set)
    schema: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)

    def type_of(self, annotation: Any) -> str:
        """Write the type of what a user may give for a field."""
        annotation = _plain(annotation)
        if annotation in _names() and annotation not in (float | str,):
            return self._named(annotation)
        return self._written(annotation)

    def _written(self, annotation: Any) -> str:
        if annotation is type(None):
            return "None"
        if isinstance(annotation, type) and issubclass(annotation, Part):
            home = annotation.__module__.removeprefix(HOUSE)
            self._need(home, annotation.__name__)
            self.schema.add(home)
            return f"{annotation.__name__} | _{home}.{annotation.__name__}"
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Literal:
            return f"Literal[{', '.join(repr(a) for a in arguments)}]"
        if origin in (Union, types.UnionType):
            return " | ".join(dict.fromkeys(self.type_of(a) for a in arguments))
        if origin is tuple:
            return self._listed(arguments)
        return str(annotation.__name__)

    def _listed(self, arguments: tuple[Any, ...]) -> str:
        inner = self.type_of(arguments[0])
        shape = {("float", 2): "Numbers", ("float", 3): "Vec3", ("Vec3", 3): "Matrix3"}
        if arguments[1:] == (Ellipsis,):
            name = "Numbers" if inner == "float" else ""
        else:
            name = shape.get((inner, len(arguments)), "")
        if name:
            self._need("numbers", name)
            return name
        if arguments[1:] == (Ellipsis,):
            return f"Sequence[{inner}]"
        return f"tuple[{', '.join(self.type_of(a) for a in arguments)}]"

    def _named(self, annotation: Any) -> str:
        home, name = _names()[annotation]
        if home == self.home:
            self.names.setdefault(name, self._written(annotation))
        self._need(home, name)
        return name

    def _need(self, home: str, name: str) -> None:
        if home != self.home:
            self.needs.add((home, name))


@cache
def _used() -> dict[str, set[Any]]:
    out: dict[str, set[Any]] = {}

    def look(annotation: Any) -> None:
        plain = _plain(annotation)
        if plain in _names():
            out.setdefault(_names()[plain][0], set()).add(plain)
        for argument in get_args(plain):
            if get_origin(plain) is not Literal:
                look(argument)

    for one in _fields():
        look(one)
    return out


@cache
def _body(home: str) -> tuple[_Page, str]:
    page = _Page(home)
    classes = [_class(page, model) for model in _homes()[home]]
    for annotation in sorted(_used().get(home, ()), key=lambda one: _names()[one][1]):
        page.type_of(annotation)
    for name, text in page.names.items():
        line = f'{name}: TypeAlias = "{text}"' if " | " in text else f"{name}: TypeAlias = {text}"
        classes.append(line)
    return page, "\n\n\n".join(classes)


def _source(home: str) -> str:
    return _formatted(_index() if home == "__init__" else _file(home))


def _file(home: str) -> str:
    page, body = _body(home)
    title = (import_module(HOUSE + home).__doc__ or "").partition("\n")[0]
    typing = [w for w in ("Literal", "Required", "TypeAlias", "TypedDict") if w in body]
    lines = [f'"""{title}\n\n{_MADE}\n"""', "", "from __future__ import annotations", ""]
    checked = [f"    import {HOUSE}{one} as _{one}" for one in sorted(page.schema)]
    if "Sequence[" in body:
        checked.insert(0, "    from collections.abc import Sequence\n")
    by_home: dict[str, list[str]] = {}
    for other, name in sorted(page.needs):
        by_home.setdefault(other, []).append(name)
    bases = {base.__name__ for m in _homes()[home] for base in _shape(m)[0]}
    above: list[str] = []
    for other, names in by_home.items():
        for where, chosen in ((above, set(names) & bases), (checked, set(names) - bases)):
            ahead = "" if where is above else "    "
            if chosen:
                where.append(
                    f"{ahead}from manikin.schema.{other} import {', '.join(sorted(chosen))}"
                )
    typing += ["TYPE_CHECKING"] if checked else []
    lines += [f"from typing import {', '.join(sorted(typing))}", "", *above, ""]
    if checked:
        lines += ["if TYPE_CHECKING:", *checked]
    return "\n".join([*lines, "", body, ""])


def _class(page: _Page, model: type[Part]) -> str:
    bases, names = _shape(model)
    for base in bases:
        page._need(base.__module__.removeprefix(HOUSE), base.__name__)
    above = ", ".join([one.__name__ for one in bases] or ["TypedDict"])
    doc = inspect.cleandoc(model.__doc__ or "").replace("\n", "\n    ")
    end = "\n    " if "\n" in doc else ""
    out = [f"class {model.__name__}({above}, total=False):", f'    """{doc}{end}"""', ""]
    for name in names:
        one = model.model_fields[name]
        words = page.type_of(one.annotation)
        is_kind = name == "kind" and model in _tagged()
        must = is_kind or (one.is_required() and name not in FILLED)
        out.append(f"    {name}: {f'Required[{words}]' if must else words}")
        out.append(f"    {_quoted(field_line(name, one))}")
    return "\n".join(out)


def _shape(model: type[Part]) -> tuple[list[type[Part]], list[str]]:
    """The bases of a part, and the fields that it adds; a base whose field it changes is taken apart."""
    own = [name for name in inspect.get_annotations(model) if name in model.model_fields]
    bases = [one for one in model.__bases__ if issubclass(one, Part) and one is not Part]
    while clash := [one for one in bases if ({*own} - {"id"}) & {*one.model_fields}]:
        at = bases.index(clash[0])
        inner, names = _shape(clash[0])
        bases[at : at + 1] = inner
        own = [*(name for name in names if name not in own), *own]
    is_inside = model not in _elements() and issubclass(model, Element) and model is not Element
    has_id = any(issubclass(one, Element) and one not in _elements() and one is not Element for one in bases)  # fmt: skip
    if model is Element:
        own.remove("id")
    elif is_inside and not has_id and not _is_base(model) and "id" not in own:
        own.insert(0, "id")
    return bases, [name for name in own if (model, name) not in GIVEN]


@cache
def _elements() -> frozenset[type[Part]]:
    return frozenset(m for name in LISTS for m in models_of(name))


@cache
def _is_base(model: type[Part]) -> bool:
    """Whether a part stands in no field, and only others are made from it."""
    return model not in {part for one in _fields() for part in _within(one)}


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{escaped}"""'


def _index() -> str:
    lines = [
        '"""The parts of a model as plain data, with the types, units and defaults of the schema.',
        "",
        "Each is a dictionary of its fields, as in a project file: `Frame(position_m=(0.0, 0.0, 0.1))` is",
        "`{'position_m': (0.0, 0.0, 0.1)}`. It is checked where it is added to a model. docs/project-file.md lists",
        "all parts with their fields.",
        "",
        _MADE,
        '"""',
        "",
        "from __future__ import annotations",
        "",
    ]
    taken: dict[str, str] = {}
    for home in ("numbers", *_homes()):
        names = sorted(_NUMBERS) if home == "numbers" else _exported(home)
        fresh = [name for name in names if name not in taken]
        taken.update(dict.fromkeys(fresh, home))
        lines.append(f"from manikin.schema.{home} import {', '.join(sorted(fresh))}")
    lines += ["", f"__all__ = {sorted(taken)!r}"]
    return "\n".join(lines) + "\n"


def _exported(home: str) -> list[str]:
    classes = {model.__name__ for models in _homes().values() for model in models}
    names = [name for name in _body(home)[0].names if name not in classes]
    return [*(model.__name__ for model in _homes()[home]), *names]


def _adding() -> str:
    needs: dict[str, list[str]] = {}
    body = []
    for list_, (word, what) in ADDED.items():
        models = models_of(list_)
        for model in models:
            needs.setdefault(model.__module__.removeprefix(HOUSE), []).append(model.__name__)
            if len(models) > 1:
                first = inspect.cleandoc(model.__doc__ or "").partition("\n")[0]
                body.append("    @overload")
                body.append(_call(word, f"Unpack[{model.__name__}]", first, None))
        fields = f"Unpack[{models[0].__name__}]" if len(models) == 1 else "object"
        body += [f'    @described("{list_}")', _call(word, fields, what, list_)]
    imports = [
        f"    from manikin.schema.{home} import {', '.join(sorted(names))}"
        for home, names in sorted(needs.items())
    ]
    head = [
        f'"""Add elements of every kind to a model, with the types of their fields.\n\n{_MADE}\n"""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "from typing import TYPE_CHECKING, Self, Unpack, overload",
        "",
        "from manikin.signatures import described",
        "",
        "if TYPE_CHECKING:",
        *imports,
        "",
        "",
        "class Adding:",
        '    """Add elements to a model; what a call gives is checked at once, as a file is."""',
        "",
        "    def _added(self, list_: str, id_: str, fields: Mapping[str, object]) -> Self:",
        "        raise NotImplementedError",
        "",
    ]
    return _formatted("\n".join([*head, *body]) + "\n")


def _call(word: str, fields: str, doc: str, list_: str | None) -> str:
    out = [
        f"    def add_{word}(self, id: str, **fields: {fields}) -> Self:",
        f"        {_quoted(doc)}",
    ]
    if list_ is not None:
        out.append(f'        return self._added("{list_}", id, fields)')
    return "\n".join([*out, ""])


def _formatted(source: str) -> str:
    """Lay a source out as all others are."""
    program = str(Path(sys.executable).parent / "ruff")
    shared = ["--quiet", "--stdin-filename", "manikin/schema/made.py", "-"]
    for words in (["check", "--select", "I", "--fix"], ["format"]):
        done = subprocess.run(
            [program, *words, *shared],
            input=source,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        source = done.stdout
    return source
