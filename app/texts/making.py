"""What can be added: titles and tips, what has to be there first, and what new things are called."""

from __future__ import annotations

MAKERS: dict[str, tuple[str, str]] = {
    "segments": ("Segment", "A rigid body with mass and a surface that can be seen and touched."),
    "joints.ball": ("Ball joint", "Turns freely about a point: hip, shoulder, neck."),
    "joints.pin": ("Pin joint", "Turns about one axis: knee, elbow, hinge."),
    "joints.universal": ("Universal joint", "Turns about two axes."),
    "joints.euler": ("Euler joint", "Three pins one after the other, each free or held."),
    "joints.slip": ("Slip joint", "Slides along an axis."),
    "joints.locked": ("Locked joint", "Holds two segments together rigidly."),
    "joints.free": ("Free joint", "Leaves all freedoms; only the start counts from the parent."),
    "planes": ("Plane", "A flat surface that pushes on its front side: seat, floor, panel."),
    "functions.table": ("Table", "A curve through points."),
    "functions.constant": ("Constant", "The same value everywhere."),
    "functions.polynomial": ("Polynomial", "Up to fifth degree between two ends."),
    "functions.two_ranges": ("Two ranges", "One form up to a split and another beyond it."),
    "contact_laws.hysteretic": (
        "Padding with memory",
        "Loads along a curve, unloads with loss and permanent offset.",
    ),
    "contact_laws.rate": ("Rate-dependent padding", "Force by deflection and by its rate."),
    "contact_laws.damped": ("Curve and dashpot", "A curve beside a linear dashpot."),
    "contact_laws.kelvin_voigt": ("Spring and dashpot", "Linear spring beside a linear dashpot."),
    "contact_laws.hunt_crossley": (
        "Hunt and Crossley",
        "Force by a power of depth, damped by depth.",
    ),
    "contact_laws.lankarani_nikravesh": (
        "Lankarani and Nikravesh",
        "The same, damped by restitution.",
    ),
    "contact_laws.permanent_indentation": ("Permanent indentation", "Keeps a dent."),
    "contact_laws.exponential_panel": (
        "Exponential panel",
        "Stiffens exponentially, with damping.",
    ),
    "contact_laws.webbing": ("Belt webbing", "Tension by strain, with memory."),
    "contact_laws.rate_webbing": ("Rate-dependent webbing", "Tension by strain and its rate."),
    "contacts.plane": ("Contact with a plane", "Lets a surface press on a plane."),
    "contacts.surfaces": ("Contact of two surfaces", "Lets two surfaces press on each other."),
    "belts": ("Belt", "A simple belt from anchor to anchor over an ellipsoid."),
    "harnesses": ("Harness", "Straps that slip over several segments."),
    "airbags": ("Airbag", "A bag that inflates from a panel."),
    "springs.linear": ("Spring and damper", "Joins two points by stiffness and damping."),
    "springs.tabulated": ("Spring by curve", "Joins two points by a curve of force."),
    "springs.bushing": ("Bushing", "Six springs and dampers between two frames."),
    "tension_elements": ("Tension element", "A heavy string that pulls and never pushes."),
    "constraints.zero_distance": (
        "Two points in one",
        "Holds two points together and closes a loop.",
    ),
    "constraints.fixed_distance": ("Fixed distance", "Holds two points at a distance, like a rod."),
    "constraints.roll_slide": ("Rolling", "Keeps an ellipsoid on a plane, rolling or sliding."),
    "flexible_elements": ("Flexible element", "Bends a chain of segments as its ends turn."),
    "motions": (
        "Crash pulse or motion",
        "Moves a segment as prescribed: a sled, a vehicle. What stands on ground goes along.",
    ),
    "winds": ("Wind", "Blows on surfaces."),
    "loads.force": ("Force", "Pushes on a point by a function of time."),
    "loads.torque": ("Torque", "Turns a segment by a function of time."),
    "symmetry.planar": ("Stays in plane", "Keeps a segment from moving sideways."),
    "symmetry.mirror": ("Mirror pair", "Moves two segments as mirror images."),
    "outputs.point": ("Motion of a point", "Position, velocity or acceleration of a point."),
    "outputs.rotation": ("Turning of a segment", "Angles, angular velocity or acceleration."),
    "outputs.joint": ("Joint angles and loads", "Angles, torques or reaction force of a joint."),
    "outputs.element": (
        "Loads of an element",
        "Forces and states of a contact, belt, airbag or spring.",
    ),
    "outputs.body": ("Figures of a body", "Mass centre, momenta and energy of several segments."),
    "outputs.injury": ("Injury figure", "HIC, severity index or 3 ms value of an acceleration."),
    "runs": ("Run", "How long and how finely to solve."),
}

NEEDS = "{what} needs {noun}: add one first."
A_SEGMENT = "a segment"
