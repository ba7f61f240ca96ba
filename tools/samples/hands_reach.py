"""How far the right hand of a belted driver reaches: the wheel, the radio, and the floor that he does not reach."""

from __future__ import annotations

from solver.analysis.linkages import reach_envelope, tip_of, with_envelope
from solver.base.places import samples
from solver.project import load_project
from solver.project.changes import with_value
from solver.project.document import Project
from solver.project.motions import ConstantHistory
from solver.project.outputs import PointOutput
from solver.project.runs import Run
from solver.project.segments import Marker

HAND = "driver_right_hand"
PLACES = {
    "wheel": ("Rim of the wheel, top", "car_steering_wheel", (0.0, 0.0, -0.19)),
    "radio": ("Radio, in the middle console", "vehicle", (0.42, -0.06, -0.22)),
    "carpet": ("Carpet at the passenger's feet", "vehicle", (0.75, 0.45, 0.29)),
}
"""Name, segment and place (m) of what is reached for; the last is out of reach."""


def build() -> Project:
    """The driver of `frontal` in his car, which drives on evenly."""
    car = load_project(samples() / "frontal.json")
    (motion,) = car.motions
    (along,) = motion.components
    even = along.model_copy(
        update={"pulse": ConstantHistory(kind="constant", value=0.0), "start_rate": 10.0}
    )
    tip = tip_of(car, HAND)
    markers = [Marker(id=id_, name=name, segment=segment, point_m=place) for id_, (name, segment, place) in PLACES.items()]  # fmt: skip
    markers.append(
        Marker(id="fingertip", name="Right fingertip", segment=HAND, point_m=tip.position_m)
    )
    base = car.model_copy(
        update={
            "title": "How far a belted driver's hand reaches",
            "note": "The see-through surface is what the right fingertip reaches while collar bone, shoulder, elbow and wrist go as far as no stop pushes, and the torso stays as the belt holds it (Place, Reach of it). The wheel and the radio are within, the carpet at the passenger's feet is not. Nothing in the way is looked at. The car drives on evenly.",
            "motions": (motion.model_copy(update={"id": "drives_on", "name": "Drives on at 36 km/h", "source": "", "components": (even,)}),),
            "functions": tuple(one for one in car.functions if one.id not in ("pulse_curve", "driver_pretensioner_stroke")),
            "markers": tuple(markers),
            "outputs": (PointOutput(id="fingertip", name="Right fingertip", kind="point", segment=HAND, point_m=tip.position_m, quantity="position", relative_to="vehicle", axes="relative"),),
            "studies": (),
            "assumed": (),
            # nothing fires in a car that drives on
            "airbags": (),
            "runs": (Run(id="still", name="20 ms", duration_s=0.02, body_sensors=False),),
            "load_case": "",
        }
    )  # fmt: skip
    device = "harnesses/driver_three_point_belt/straps/belt/end_device/pretensioner"
    base = with_value(base, device, None)
    found = reach_envelope(base, tip, cell_m=0.06)
    return with_envelope(base, found, "Reach of the right hand", "reach_right_hand")[0]
