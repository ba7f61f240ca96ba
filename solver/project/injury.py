"""Injury figures that a project asks for, and what each of them is made of."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from solver.project.fields import REQUIRED, Element, Id, Number, choice, number, ref

Criterion = Literal[
    "HIC",
    "HIC15",
    "HIC36",
    "contact_HIC",
    "contact_HIC15",
    "contact_HIC36",
    "HSI",
    "CSI",
    "3ms",
    "3ms_in_one",
    "BrIC",
    "DAMAGE",
    "GAMBIT",
    "Nij",
    "Nkm",
    "NIC",
    "neck_tension",
    "neck_compression",
    "neck_shear",
    "lumbar_compression",
    "chest_deflection",
    "VC",
    "CTI",
    "TTI",
    "DRI",
    "DRI_x",
    "DRI_y",
    "femur_compression",
    "tibia_index",
]

Need = Literal[
    "acceleration", "rate", "angular_acceleration", "force", "torque", "deflection", "touch"
]  # fmt: skip
"""What an output must give; a deflection may come from many kinds."""

Body = Literal["hybrid_iii_50", "hybrid_iii_5", "hybrid_iii_6y", "hybrid_iii_3y", "crabi_12m"]
"""Dummies with limits or intercepts; `resources/injury.json` describes them."""

_ACCELERATION: tuple[Need, ...] = ("acceleration",)
_FORCE: tuple[Need, ...] = ("force",)
_LOAD: tuple[Need, ...] = ("force", "torque")
_DEFLECTION: tuple[Need, ...] = ("deflection",)

NEEDS: Mapping[str, tuple[Need, ...]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("HIC", "HIC15", "HIC36", "HSI", "CSI", "3ms", "3ms_in_one"), _ACCELERATION
        ),
        **dict.fromkeys(("DRI", "DRI_x", "DRI_y"), _ACCELERATION),
        "BrIC": ("rate",),
        "DAMAGE": ("angular_acceleration",),
        "GAMBIT": ("acceleration", "angular_acceleration"),
        **dict.fromkeys(("Nij", "Nkm", "tibia_index"), _LOAD),
        **dict.fromkeys(("neck_tension", "neck_compression", "neck_shear"), _FORCE),
        **dict.fromkeys(("lumbar_compression", "femur_compression"), _FORCE),
        **dict.fromkeys(("NIC", "TTI"), (*_ACCELERATION, *_ACCELERATION)),
        **dict.fromkeys(("chest_deflection", "VC"), _DEFLECTION),
        "CTI": (*_ACCELERATION, *_DEFLECTION),
        **dict.fromkeys(
            ("contact_HIC", "contact_HIC15", "contact_HIC36"), (*_ACCELERATION, "touch")
        ),
    }
)
"""What `output` and, where there are two, `second` must give."""

OPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "channel": ("chest_deflection", "VC", "CTI"),
        "lever_m": ("Nij", "Nkm"),
        "neck": ("Nij",),
        "depth_m": ("VC",),
        "scale": ("VC",),
    }
)
"""Which criteria look at which options."""


class InjuryOutput(Element):
    """Compute an injury figure from outputs (card H.12); docs/injury.md says how."""

    cfc: Literal[0, 60, 180, 600, 1000] | None = choice(
        None,
        "Filter class",
        "Class to which all channels are filtered; none: by criterion and body part; 0: unfiltered.",
    )
    kind: Literal["injury"] = choice("injury", "Kind", "An injury figure.")
    criterion: Criterion = choice(REQUIRED, "Criterion", "Figure to compute.")
    output: Id = ref(
        REQUIRED,
        "outputs",
        "Output",
        "What it is made of, such as the acceleration of a point or the force in a joint.",
    )
    second: Id | None = ref(
        None,
        "outputs",
        "Second output",
        "The torque for Nij, Nkm, tibia index; angular acceleration for GAMBIT; head for NIC; lower "
        "spine for TTI; deflection for CTI; the contact for contact HIC.",
    )
    channel: Literal["x", "y", "z", "resultant", "penetration", "length", "slide"] | None = choice(
        None,
        "Channel",
        "Which channel is the deflection; none: penetration, length, slide, or x of a point.",
    )
    lever_m: Number = number(
        0.0,
        "m",
        "Lever",
        "Height of the place of the load above the occipital condyles (0.01778 in a Hybrid III 50th).",
    )
    compared_with: Body | None = choice(
        None,
        "Compared with",
        "Dummy whose limits and risks are used; none: the one whose mass the body has, if there is one.",
    )
    neck: Body = choice("hybrid_iii_50", "Neck", "Body whose intercepts are used for Nij.")
    depth_m: Number = number(0.229, "m", "Chest depth", "Of the viscous criterion.", gt=0)
    scale: Number = number(1.3, "1", "Scale", "Of the viscous criterion.", gt=0)
