"""What the elements of a project are called."""

from __future__ import annotations

ONE: dict[str, str] = {
    "segments": "segment",
    "joints": "joint",
    "planes": "plane",
    "functions": "function",
    "contact_laws": "contact law",
    "contacts": "contact",
    "belts": "belt",
    "harnesses": "harness",
    "airbags": "airbag",
    "springs": "spring",
    "tension_elements": "tension element",
    "constraints": "constraint",
    "flexible_elements": "flexible element",
    "motions": "motion",
    "winds": "wind",
    "loads": "load",
    "symmetry": "symmetry",
    "outputs": "output",
    "runs": "run",
}
"""One element of a list."""

MANY: dict[str, str] = {
    "segments": "segments",
    "joints": "joints",
    "planes": "planes",
    "functions": "functions",
    "contact_laws": "contact laws",
    "contacts": "contacts",
    "belts": "belts",
    "harnesses": "harnesses",
    "airbags": "airbags",
    "springs": "springs",
    "tension_elements": "tension elements",
    "constraints": "constraints",
    "flexible_elements": "flexible elements",
    "motions": "motions",
    "winds": "winds",
    "loads": "loads",
    "symmetry": "symmetries",
    "outputs": "outputs",
    "runs": "runs",
}
"""Several elements of a list."""

PROJECT = "Project"
START = "Start"
GROUND = "Ground"
AND = "{one} and {other}"
