"""Write the library's necks: `python -m tools.necks`."""

from __future__ import annotations

import math
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
    "Vasavada and Merryweather (2018); disc heights: Koeken (2014); stiffness of discs: Moroney (1988), Yoganandan; muscle: "
    "Thelen (2003)"
)
FITTED = (
    "Fitted to volunteers 1635, 1637 and 1638 at 15 g forward, within the ranges of their sources: posture, size, activity, discs, "
    "ends of motion, nuchal ligament, muscles; see docs/samples.md."
)
NECK = Neck(
    posture=Posture(lean=math.radians(8.0), size=1.01, slope=math.radians(6.0), nod=math.radians(14.0)),
    softness=Softness(
        bending=1.21, shear=1.19, stretching=0.494, turning_damping=1.73, upper=7.8, flexion=math.radians(43.0),
        extension=math.radians(45.0), ends=430.0, ends_upper=24.3, nuchal=1190.0, nuchal_strain=0.21,
    ),
    passive_strain=0.604,
)  # fmt: skip
BRACED = Activity(
    tone_skull=0.0719,
    tone=0.0163,
    braced_skull=0.184,
    braced=0.928,
    delay_s=0.071,
    stress_pa=41.3e4,
)
RELAXED = Activity(
    tone_skull=0.05, tone=0.05, braced_skull=0.0, braced=0.0, delay_s=0.0, stress_pa=41.3e4
)


def entries() -> list[dict[str, Any]]:
    """Both entries of the library."""
    kinds = (
        ("head_and_neck", "Head and neck, relaxed", RELAXED, "Muscles hold the posture and do no more. "),
        ("head_and_neck_braced", "Head and neck, braced", BRACED, "Extensors rise 71 ms after the start. "),
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
