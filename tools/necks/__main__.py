"""Write the library's necks: `python -m tools.necks`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from solver.project.canonical import plain, text_of
from tools.necks.bones import Posture
from tools.necks.build import Neck, piece
from tools.necks.muscles import Activity
from tools.necks.tissues import Softness

FILE = Path(__file__).resolve().parent.parent.parent / "resources" / "library" / "necks.json"
SOURCE = (
    "Bones, ligaments and muscles: Barrett (2016), public repository jefferybarrett/cspinemodel; fibre lengths: Mortensen, "
    "Vasavada and Merryweather (2018); disc heights: Koeken (2014); stiffness of discs: Moroney (1988), Yoganandan; muscle: "
    "Thelen (2003)"
)
FITTED = (
    "Fitted to volunteers 1635, 1637 and 1638 at 15 g forward: posture, size, activity, stiffness and damping of discs in bending, "
    "stiffness of the ends of motion, passive stretch of muscles; docs/samples.md says which lie outside their sources."
)
NECK = Neck(
    posture=Posture(lean=math.radians(25.0), size=1.035),
    softness=Softness(
        bending=7.0, shear=1.0, stretching=0.34, turning_damping=1.5, upper=50.0, flexion=math.radians(14.4),
        extension=math.radians(45.0), ends=340.0, ends_upper=340.0, nuchal=1.0, nuchal_strain=0.4,
    ),
    passive_strain=0.26,
)  # fmt: skip
BRACED = Activity(tone_skull=0.022, tone=0.29, braced_skull=0.14, braced=0.67, delay_s=0.06)
RELAXED = Activity(tone_skull=0.05, tone=0.05, braced_skull=0.0, braced=0.0, delay_s=0.0)


def entries() -> list[dict[str, Any]]:
    """Give both entries of the library."""
    kinds = (
        ("head_and_neck", "Head and neck, relaxed", RELAXED, "Muscles hold the posture and do no more. "),
        ("head_and_neck_braced", "Head and neck, braced", BRACED, "Extensors rise 60 ms after the start. "),
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
