"""Bring older project files up to the present schema, one version at a time.

A migration is a pure function on plain JSON data. When a default changes, its migration writes the
old default into the files that relied on it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from solver.project.document import SCHEMA_VERSION

Data = dict[str, Any]


def migrate_1_to_2(data: Data) -> Data:
    """Move gravity from the start pose to the document, and name pins' axes by words.

    Version 1 kept `gravity_m_per_s2` under `initial`, and a slip joint's rotation as a number
    (0 none, 6 pin about y, 7 pin about z, 5 ball) as the later program's cards do.
    """
    new = copy.deepcopy(data)
    initial = new.get("initial")
    if isinstance(initial, dict) and "gravity_m_per_s2" in initial:
        new["gravity_m_per_s2"] = initial.pop("gravity_m_per_s2")
    words = {0: "none", 5: "ball", 6: "pin_y", 7: "pin_z"}
    joints = new.get("joints")
    for joint in joints if isinstance(joints, list) else []:
        if isinstance(joint, dict) and joint.get("kind") == "slip":
            rotation = joint.get("rotation")
            if isinstance(rotation, int):
                joint["rotation"] = words.get(rotation, rotation)
    new["schema_version"] = 2
    return new


def migrate_2_to_3(data: Data) -> Data:
    """Write what version 2 took where a file said nothing.

    Depth between two surfaces was measured along the line of centres; inside it has one measure, which
    no longer has a name. Torsion and stop contours of joints acted as printed, and the returned part of
    a spring beside a torque function did nothing.
    """
    new = copy.deepcopy(data)
    contacts = new.get("contacts")
    for contact in contacts if isinstance(contacts, list) else []:
        if isinstance(contact, dict) and contact.get("kind") == "surfaces":
            if contact.get("inside") is True:
                contact.pop("depth", None)
            else:
                contact.setdefault("depth", "centres")
    joints = new.get("joints")
    for joint in joints if isinstance(joints, list) else []:
        if isinstance(joint, dict):
            if _twists(joint) or isinstance(joint.get("globographic"), dict):
                joint.setdefault("torque_law", "printed")
            _give_all_back(joint)
    new["schema_version"] = 3
    return new


def _twists(joint: Data) -> bool:
    """Say whether a joint of version 2 has torsion that acts about three turns."""
    ball = joint.get("kind") == "ball" or joint.get("rotation") == "ball"
    torsion = joint.get("torsion")
    return ball and isinstance(torsion, dict) and bool(torsion)


def _give_all_back(part: Data) -> None:
    """Take the returned part from every spring in a joint that has a torque function."""
    for value in part.values():
        if isinstance(value, dict):
            if "contour" not in value and value.get("torque") is not None:
                value.pop("returned_ratio", None)
            _give_all_back(value)


def migrate_3_to_4(data: Data) -> Data:
    """Write what version 3 took where a file said nothing.

    Tension elements damped as printed: also across their line, and while they were slack. The damping of
    Lankarani and Nikravesh had no bound after a slow touch.
    """
    new = copy.deepcopy(data)
    laws = new.get("contact_laws")
    for law in laws if isinstance(laws, list) else []:
        if isinstance(law, dict) and law.get("kind") == "lankarani_nikravesh":
            law.setdefault("least_impact_speed_m_per_s", 0.0)
    strings = new.get("tension_elements")
    for string in strings if isinstance(strings, list) else []:
        if isinstance(string, dict) and string.get("damping_ns_per_m"):
            string.setdefault("damping_law", "printed")
    new["schema_version"] = 4
    return new


MIGRATIONS: dict[int, Callable[[Data], Data]] = {
    1: migrate_1_to_2,
    2: migrate_2_to_3,
    3: migrate_3_to_4,
}


def migrate(data: Data, version: int) -> Data:
    """Apply every migration from `version` up to the present one."""
    for step in range(version, SCHEMA_VERSION):
        data = MIGRATIONS[step](data)
    return data
