"""Write the library's necks: `python -m tools.necks`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from solver.project.saving import plain, text_of
from tools.necks.bones import Posture
from tools.necks.build import Neck, piece
from tools.necks.muscles import Activity
from tools.necks.tissues import Softness

FILE = Path(__file__).resolve().parent.parent.parent / "resources" / "library" / "necks.json"
SOURCE = (
    "Bones, ligaments and muscles: Barrett (2016), public repository jefferybarrett/cspinemodel; fibre lengths: Mortensen, "
    "Vasavada and Merryweather (2018); disc heights: Koeken (2014); stiffness of discs: Moroney (1988), Yoganandan; levels: Panjabi (2001), Nightingale (2007); muscle: "
    "Thelen (2003)"
)
FITTED = (
    "Levels bear what specimens without muscles did (docs/spine-levels.md). Fitted to volunteers 1635, 1637 and 1638 at 15 g forward, within the ranges of "
    "their sources: posture, size, activity, slides and damping of discs, nuchal ligament, muscles; see docs/samples.md."
)
NECK = Neck(
    posture=Posture(lean=0.183, size=0.995, slope=0.184, nod=0.25),
    softness=Softness(shear=1.88, stretching=0.585, turning_damping=1.5, upper_damping=0.1, nuchal=746, nuchal_strain=0.27),
    passive_strain=0.55,
)  # fmt: skip
BRACED = Activity(
    tone_skull=0.01,
    tone=0.224,
    braced_skull=0.964,
    braced=0.3,
    delay_s=0.066,
    stress_pa=48.7e4,
)
RELAXED = Activity(0.05, 0.05, 0.0, 0.0, 0.0, BRACED.stress_pa)


def entries() -> list[dict[str, Any]]:
    """Both entries of the library."""
    kinds = (
        ("head_and_neck", "Head and neck, relaxed", RELAXED, "Muscles hold the posture and do no more. "),
        ("head_and_neck_braced", "Head and neck, braced", BRACED, "Extensors rise 66 ms after the start. "),
    )  # fmt: skip
    return [
        {
            "id": id_, "name": name, "note": note + FITTED, "source": SOURCE, "basis": "derived",
            "origin": "front upper edge of the body of the first thoracic vertebra (T1)",
            "fragment": _fragment(activity),
        }
        for id_, name, activity, note in kinds
    ]  # fmt: skip


def _fragment(activity: Activity) -> dict[str, Any]:
    made = plain(piece(NECK, activity))
    return {key: made[key] for key in made if key not in ("format", "schema_version")}


if __name__ == "__main__":
    FILE.write_text(text_of(entries()), encoding="utf-8")
    print(f"wrote {FILE.name}")
