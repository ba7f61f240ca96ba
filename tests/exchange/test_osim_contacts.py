"""Spheres and half spaces of OpenSim press as there, and what moves at the start moves as there."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import manikin as mk
from solver.exchange.trees import TreeError, read_tree
from solver.exchange.trees.files import ReadTree, tree_of

DATA = Path(__file__).parent.parent / "data" / "osim"
TEXT = (DATA / "touching.osim").read_text(encoding="utf-8")
SMOOTH = """<SmoothSphereHalfSpaceForce name="smooth"><socket_sphere>/contactgeometryset/sole</socket_sphere>
<socket_half_space>/contactgeometryset/floor</socket_half_space><stiffness>1000000</stiffness><dissipation>0.4</dissipation>
<static_friction>0.9</static_friction><dynamic_friction>0.6</dynamic_friction><viscous_friction>0.5</viscous_friction>
<transition_velocity>0.2</transition_velocity></SmoothSphereHalfSpaceForce>"""


def changed(*pairs: tuple[str, str]) -> ReadTree:
    text = TEXT
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return tree_of(text.encode(), "touching.osim")


def test_contacts_and_speeds_at_the_start_are_those_of_opensim() -> None:
    """Free and ball joints in turned frames, a sphere that goes into a tilted plane and two pairs, as OpenSim 4.6 has them."""
    made = read_tree(DATA / "touching.osim")
    told = json.loads((DATA / "touching.json").read_text(encoding="utf-8"))["bodies"]
    run = mk.run(mk.Model(made.project), until=1e-3)
    assert len(told) == 3
    for name, want in told.items():
        for key, size in want.items():
            quantity = key.removesuffix("_m").partition("_m_per")[0].partition("_rad_per")[0]
            axes = "@ground" if quantity.startswith("angular") else ""
            quantity = "position" if quantity == "place" else quantity
            got = [run[f"segments/{name}/{quantity}/{a}{axes}"].value[0] for a in "xyz"]
            assert np.abs(np.subtract(got, size)).max() < 1e-11 * (1.0 + np.abs(size).max()), key
    # the floor and three, and of both bodies and the post each with each
    assert len(made.project.contacts) == 8


def test_a_smooth_contact_has_the_same_law_and_friction_at_rest() -> None:
    made = changed(("</HuntCrossleyForce>", f"</HuntCrossleyForce>{SMOOTH}"))
    (law,) = (one for one in made.project.contact_laws if one.kind == "hunt_crossley" and one.friction)  # fmt: skip
    assert law.kind == "hunt_crossley"
    # of two alike k is halved: 4/3 sqrt(R) E / 2^1.5
    assert law.stiffness_n_per_mn == pytest.approx(4 / 3 * math.sqrt(0.05) * 1e6 / 2**1.5)
    assert law.damping_s_per_m == pytest.approx(0.6)
    assert (law.friction, law.static_friction_ratio) == pytest.approx((0.6, 1.5))
    assert "Friction that grows with the speed is left out." in map(str, made.notes)


@pytest.mark.parametrize(
    ("old", "new", "said", "pairs"),
    [
        ("<socket_frame>/bodyset/still", "<socket_frame>/ground", "spheres of the ground are left out (1): post", 5),
        ("<geometry>knee post", "<geometry>knee pots", "a force names is not there, or left out (1): pots", 5),
        ('<ContactSphere name="idle"', '<ContactSphere name="idle"><radius>1</radius></ContactSphere><ContactMesh name="mesh"/><ContactSphere name="other"',
         "neither a sphere nor a half space is left out (1): mesh", 8),
        ('<HuntCrossleyForce name="touching">', '<HuntCrossleyForce name="touching"><appliesForce>false</appliesForce>',
         "'touching' is switched off", 0),
        ("<geometry>floor sole side</geometry>", "<geometry>floor side</geometry>", "no force uses is left out (2)", 5),
    ],
)  # fmt: skip
def test_what_does_not_touch_is_named(old: str, new: str, said: str, pairs: int) -> None:
    made = changed((old, new))
    assert said in " ".join(map(str, made.notes))
    assert len(made.project.contacts) == pairs


def test_a_model_that_nothing_holds_is_said_to_fall() -> None:
    falls = "Nothing holds 'low' up: it falls until you let it touch something, or hold it."
    off = ("<HuntCrossleyForce ", "<HuntCrossleyForce ><isDisabled>true</isDisabled></HuntCrossleyForce><HuntCrossleyForce ")  # fmt: skip
    assert falls not in map(str, changed(off).notes)
    none = (off[0], "<ElasticFoundationForce "), ("</HuntCrossleyForce>", "</ElasticFoundationForce>")  # fmt: skip
    assert falls in map(str, changed(*none).notes)
    assert falls not in map(str, changed(*none, ("<gravity>0 -9.80665 0", "<gravity>0 0 0")).notes)


def test_a_contact_without_stiffness_or_radius_is_refused_with_its_line() -> None:
    for old, name in (("<stiffness>1000000", "stiffness"), ("<radius>0.05", "radius")):
        with pytest.raises(TreeError, match=rf"Line \d+, <.*>, {name}: it is not above zero"):
            changed((old, f"{old[: old.index('>') + 1]}0<!-- -->"))
