"""What the elements of a project are called."""

from __future__ import annotations

from solver.base.words import msgid
from solver.project.checks.ids import NOUNS as ONE  # one element of a list

__all__ = ["AND", "GROUND", "MANY", "ONE", "PROJECT", "START"]

MANY: dict[str, str] = {
    "segments": msgid("segments"),
    "joints": msgid("joints"),
    "planes": msgid("planes"),
    "functions": msgid("functions"),
    "contact_laws": msgid("contact laws"),
    "contacts": msgid("contacts"),
    "belts": msgid("belts"),
    "harnesses": msgid("harnesses"),
    "airbags": msgid("airbags"),
    "springs": msgid("springs"),
    "coordinate_forces": msgid("coordinate forces"),
    "tension_elements": msgid("tension elements"),
    "constraints": msgid("constraints"),
    "flexible_elements": msgid("flexible elements"),
    "motions": msgid("motions"),
    "drivers": msgid("drivers"),
    "frame_drivers": msgid("frame drivers"),
    "winds": msgid("winds"),
    "loads": msgid("loads"),
    "markers": msgid("markers"),
    "meshes": msgid("meshes"),
    "frames": msgid("frames"),
    "unit_systems": msgid("unit systems"),
    "symmetry": msgid("symmetries"),
    "outputs": msgid("outputs"),
    "runs": msgid("runs"),
    "studies": msgid("studies"),
}
"""Several elements of a list."""

PROJECT = msgid("Project")
START = msgid("Start")
GROUND = msgid("Ground")
AND = msgid("{one} and {other}")
