"""Write the dummies of the library: `python -m tools.dummies`."""

from __future__ import annotations

from pathlib import Path

from solver.project import Project
from solver.project.criteria import entry_in
from solver.project.saving import plain, text_of
from tools.dummies.build import fragment
from tools.dummies.figures import SIZES, Size
from tools.dummies.laws import Laws, SideLaws, laws
from tools.dummies.side import side_fragment
from tools.dummies.studies import studies

FOLDER = Path(__file__).resolve().parent.parent.parent / "resources" / "dummies"


def written(size: Size, chosen: Laws) -> dict[str, object]:
    """The file of a dummy, without its entry."""
    text = {
        "title": size.title,
        "source": f"{size.who}; masses: {size.masses_from}; places: {size.places_from}",
        "note": "Every element says where its numbers are from; the studies are the fits of its laws (docs/dummies.md).",
    }  # fmt: skip
    piece = side_fragment(size, chosen) if isinstance(chosen, SideLaws) else fragment(size, chosen)
    made = Project.model_validate(piece | text | {"studies": studies(size.id)})
    return plain(made)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in SIZES.values():
        file = FOLDER / f"{one.id}.json"
        # what the library knows of it beside its parts is written by hand, and stays
        entry = entry_in(file.read_text(encoding="utf-8"))
        whole = {"dummy": entry, **written(one, laws(one.id))}
        file.write_text(text_of(whole), encoding="utf-8")
        print(f"wrote {one.id}.json")
