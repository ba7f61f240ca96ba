"""Say of which kinds something is missing on a floor (docs/extending.md); nothing if all are whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from app import texts
from app.editing.making import MAKERS
from app.icons import FORMS
from solver.engine.forces import laws as kernels
from solver.model.surfaces import CURVES
from solver.project.amounts import OF_ELEMENT, PER_FRAME
from solver.project.checks.ids import LIST_WORDS
from solver.project.contact import FormulaLaw, Kernel, StrapLaw, SurfaceLaw
from solver.project.document import LISTS
from solver.project.joint_table import JOINTS, Row
from solver.project.joints import Axis, Slide, Spring
from solver.project.outputs import LOADED
from solver.project.schema import kind_words, models_of
from solver.results.layout import FRAME_GROUPS
from solver.running.outputs.frames import KINDS

TABLE, LAWS = "solver/project/joint_table.py", "solver/project/contact.py"

BESIDE = ("segments", "airbag_contacts", "energy")
"""Groups of the results that are of no list, or are made at frames alone."""


def missing() -> list[str]:
    """A sentence for each thing that a kind lacks."""
    return [*_joints(), *_laws(), *_lists(), *_made()]


def _joints() -> Iterator[str]:
    known, told = set(models_of("joints")), {row.model for row in JOINTS}
    for model in known - told:
        yield f"{model.__name__} has no row in the table of joints ({TABLE})."
    for model in told - known:
        yield f"{model.__name__} stands in the table of joints, but not in `Joint` (solver/project/joints.py)."
    for model in known & told:
        field = model.model_fields.get("rotation")
        words = get_args(field.annotation) if field is not None else ("",)
        rows = {row.rotation for row in JOINTS if row.model is model}
        for word in set(words) ^ rows:
            yield f"Rotation '{word}' of {model.__name__} is only in one of its schema and {TABLE}."
    for row in JOINTS:
        yield from _row(row)


def _row(row: Row) -> Iterator[str]:
    name = row.model.__name__
    needs: dict[str, Any] = {slide.field: Slide for slide in row.slides if slide.field}
    if row.acts == "ball":
        needs |= dict.fromkeys(("flexure", "torsion", "friction", "lock", "torque_law"))
    for one in row.freedoms:
        if one.name not in texts.scene.COORDINATES:
            yield f"The axis '{one.name}' of {name} has no word in COORDINATES (app/texts/scene.py)."
    for turn in row.turns:
        if row.acts not in ("axes", "euler"):
            continue
        field = row.model.model_fields.get(turn.field)
        if field is None or field.annotation not in (Axis, Spring):
            yield f"{name} has no field '{turn.field}' with an Axis or a Spring, which {TABLE} names."
        elif field.annotation is Spring:
            needs |= dict.fromkeys(("friction", "lock"))
    for field_name in needs:
        if field_name not in row.model.model_fields:
            yield f"{name} has no field '{field_name}', which its row in {TABLE} needs."


def _laws() -> Iterator[str]:
    shared = set(FormulaLaw.model_fields) | {"kind", *CURVES}
    for model in models_of("contact_laws"):
        name, kernel = model.__name__, getattr(model, "kernel", None)
        if not issubclass(model, SurfaceLaw | StrapLaw):
            yield f"{name} is neither a SurfaceLaw nor a StrapLaw ({LAWS})."
        if not isinstance(kernel, Kernel):
            yield f"{name} does not say by which law of the kernels it acts: give it a `kernel` ({LAWS})."
            continue
        for word in (kernel.law, *kernel.numbers):
            if not hasattr(kernels, word):
                yield f"{name} acts by {word}, which solver/engine/forces/laws.py does not know."
        for field in {*kernel.numbers.values(), *kernel.rated} - set(model.model_fields):
            yield f"{name} has no field '{field}', which its `kernel` names ({LAWS})."
        for field in set(model.model_fields) - shared - set(kernel.numbers.values()):
            yield f"Field '{field}' of {name} reaches no kernel: name it in its `kernel` ({LAWS})."


def _lists() -> Iterator[str]:
    groups = [kind.group for kind in KINDS]
    for group in groups:
        if group not in FRAME_GROUPS:
            yield f"Group '{group}' has no columns (solver/results/layout.py)."
    for group in FRAME_GROUPS:
        if group not in (*groups, *BESIDE):
            yield f"Nothing gives the rows of group '{group}' (solver/running/outputs/frames.py)."
    for loaded in LOADED:
        if loaded not in groups:
            yield f"Outputs may follow '{loaded}', which has no rows (solver/running/outputs/frames.py)."
        if loaded not in OF_ELEMENT:
            yield f"Channels of '{loaded}' are not counted in OF_ELEMENT (solver/project/amounts.py)."
    for name in groups:
        if name in LISTS and name not in (*LOADED, "joints"):
            yield f"No output can follow '{name}': name it in `Loaded` (solver/project/outputs.py)."
    for name in LISTS:
        if name not in LIST_WORDS:
            yield f"The list '{name}' has no words in LIST_WORDS (solver/project/checks/ids.py)."
        if name not in FORMS:
            yield f"The list '{name}' has no icon in FORMS (app/icons.py)."
        if name in groups and name not in PER_FRAME:
            yield f"What a row of '{name}' stores is not counted in PER_FRAME (solver/project/amounts.py)."


def _made() -> Iterator[str]:
    for name in LISTS:
        models, made = models_of(name), {one.kind for one in MAKERS if one.list_name == name}
        for model in models:
            if not made or (len(models) > 1 and not made & {"", *kind_words(model)}):
                yield f"Nobody can add a {model.__name__} in the window: it has no maker (app/editing/making.py)."


def main() -> int:
    """Print what is missing."""
    found = missing()
    print("\n".join(found) or "All kinds are whole.")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
