"""What can be added: titles and tips, what has to be there first, and what new things are called."""

from __future__ import annotations

from solver.base.words import msgid

MAKERS: dict[str, tuple[str, str]] = {
    "assumed": (
        msgid("Assumed number"),
        msgid(
            "In which range does a number lie that was not measured? A band shows what that leaves open."
        ),
    ),
    "studies.sample": (
        msgid("Robustness"),
        msgid(
            "How sure is a figure? Draws all numbers at once, and tells mean, spread and how often limits are kept."
        ),
    ),
    "studies.local": (
        msgid("Sensitivity"),
        msgid(
            "Which number decides? Moves one after the other a little, and shows signs: ++ + 0 - --."
        ),
    ),
    "studies.grid": (
        msgid("Sweep"),
        msgid("How does it change? Goes through values at even steps, in all combinations."),
    ),
    "studies.morris": (
        msgid("Screening"),
        msgid("Which of many numbers matter at all? Walks through their ranges with few runs."),
    ),
    "studies.sobol": (
        msgid("Shares of variance"),
        msgid(
            "How much of the spread comes from each number? Tells its share, alone and with others."
        ),
    ),
    "studies.optimum": (
        msgid("Optimum"),
        msgid("Which design is best within limits? With several goals: the front between them."),
    ),
    "studies.synthesis": (
        msgid("Synthesis"),
        msgid(
            "Which dimensions lead a point along a path, or through points? By geometry alone, from many starts."
        ),
    ),
    "studies.fit": (
        msgid("Fit"),
        msgid(
            "Which numbers make the model agree with a test? Fits measured curves, and says what cannot be told apart."
        ),
    ),
    "segments": (
        msgid("Segment"),
        msgid("A rigid body with mass and a surface that can be seen and touched."),
    ),
    "joints.ball": (msgid("Ball joint"), msgid("Turns freely about a point: hip, shoulder, neck.")),
    "joints.pin": (msgid("Pin joint"), msgid("Turns about one axis: knee, elbow, hinge.")),
    "joints.universal": (msgid("Universal joint"), msgid("Turns about two axes.")),
    "joints.euler": (
        msgid("Euler joint"),
        msgid("Three pins one after the other, each free or held."),
    ),
    "joints.slip": (msgid("Slip joint"), msgid("Slides along an axis.")),
    "joints.six": (
        msgid("Joint of six"),
        msgid(
            "Slides along three axes and turns about three, each with springs, friction and a lock."
        ),
    ),
    "joints.extensional": (
        msgid("Strut between pins"),
        msgid("Turns, changes its length and turns again: each free, sprung or held."),
    ),
    "joints.connector_pin": (msgid("Pin"), msgid("Turns about one axis.")),
    "joints.connector_extensional_none": (
        msgid("Strut, clamped at both ends"),
        msgid("Changes its length alone."),
    ),
    "joints.connector_extensional_both": (
        msgid("Strut between two pins"),
        msgid("Changes its length and turns at both ends."),
    ),
    "joints.connector_extensional_one": (
        msgid("Strut with one pin"),
        msgid("Changes its length and turns at the child; exchange the frames for the other end."),
    ),
    "joints.connector_rigid_none": (
        msgid("Rigid link, clamped at both ends"),
        msgid("Holds two segments at a distance and in their turn."),
    ),
    "joints.connector_rigid_one": (
        msgid("Rigid link with one pin"),
        msgid("Keeps its length and turns at the child."),
    ),
    "joints.connector_rigid_both": (
        msgid("Rigid link between two pins"),
        msgid("Keeps its length and turns at both ends."),
    ),
    "joints.connector_pin_locks": (
        msgid("Pin that locks"),
        msgid("Held until a torque opens it, which stays until the motion turns round."),
    ),
    "joints.connector_pin_breaks": (
        msgid("Pin that locks and breaks"),
        msgid("The same; a force tears it apart over a ramp."),
    ),
    "joints.connector_breaks_both": (
        msgid("Strut between two pins that locks and breaks"),
        msgid("Each end and the length are held or open: eight states, and the broken one."),
    ),
    "joints.connector_breaks_one": (
        msgid("Strut with one pin that locks and breaks"),
        msgid("The end and the length are held or open: four states, and the broken one."),
    ),
    "joints.connector_breaks_none": (
        msgid("Clamped strut that locks and breaks"),
        msgid("The length is held or open: two states, and the broken one."),
    ),
    "constraints.connector_rolling": (
        msgid("Rolling and sliding that breaks"),
        msgid("An ellipsoid rolls and slides on a plane, until a pull tears it off."),
    ),
    "joints.connector_neck": (
        msgid("Neck"),
        msgid("A strut between two pins with springs that bend it back, and friction along it."),
    ),
    "springs.connector_shoulder": (
        msgid("Shoulder"),
        msgid("Free within a circle about a point, drawn back beyond it."),
    ),
    "joints.locked": (msgid("Locked joint"), msgid("Holds two segments together rigidly.")),
    "joints.free": (
        msgid("Free joint"),
        msgid("Leaves all freedoms; only the start counts from the parent."),
    ),
    "planes": (
        msgid("Plane"),
        msgid("A flat surface that pushes on its front side: seat, floor, panel."),
    ),
    "functions.table": (msgid("Table"), msgid("A curve through points.")),
    "functions.constant": (msgid("Constant"), msgid("The same value everywhere.")),
    "functions.polynomial": (msgid("Polynomial"), msgid("Up to fifth degree between two ends.")),
    "functions.sine": (
        msgid("Sine"),
        msgid("A sine or cosine between two ends, also one that dies away."),
    ),
    "functions.exponential": (msgid("Exponential"), msgid("Grows or dies away between two ends.")),
    "functions.sum": (
        msgid("Sum of forms"),
        msgid("Polynomials, sines, exponentials and tables, added up."),
    ),
    "functions.two_ranges": (
        msgid("Two ranges"),
        msgid("One form up to a split and another beyond it."),
    ),
    "functions.sweep": (msgid("Sine sweep"), msgid("A sine whose frequency changes with time.")),
    "functions.random": (
        msgid("Random signal"),
        msgid("Cosines with random phases: a band or a spectrum, a crest factor."),
    ),
    "contact_laws.hysteretic": (
        msgid("Padding with memory"),
        msgid("Loads along a curve, unloads with loss and permanent offset."),
    ),
    "contact_laws.rate": (
        msgid("Rate-dependent padding"),
        msgid("Force by deflection and by its rate."),
    ),
    "contact_laws.damped": (msgid("Curve and dashpot"), msgid("A curve beside a linear dashpot.")),
    "contact_laws.kelvin_voigt": (
        msgid("Spring and dashpot"),
        msgid("Linear spring beside a linear dashpot."),
    ),
    "contact_laws.hunt_crossley": (
        msgid("Hunt and Crossley"),
        msgid("Force by a power of depth, damped by depth."),
    ),
    "contact_laws.lankarani_nikravesh": (
        msgid("Lankarani and Nikravesh"),
        msgid("The same, damped by restitution."),
    ),
    "contact_laws.permanent_indentation": (msgid("Permanent indentation"), msgid("Keeps a dent.")),
    "contact_laws.exponential_panel": (
        msgid("Exponential panel"),
        msgid("Stiffens exponentially, with damping."),
    ),
    "contact_laws.webbing": (msgid("Belt webbing"), msgid("Tension by strain, with memory.")),
    "contact_laws.rate_webbing": (
        msgid("Rate-dependent webbing"),
        msgid("Tension by strain and its rate."),
    ),
    "contacts.plane": (msgid("Contact with a plane"), msgid("Lets a surface press on a plane.")),
    "contacts.surfaces": (
        msgid("Contact of two surfaces"),
        msgid("Lets two surfaces press on each other."),
    ),
    "belts": (msgid("Belt"), msgid("A simple belt from anchor to anchor over an ellipsoid.")),
    "harnesses": (msgid("Harness"), msgid("Straps that slip over several segments.")),
    "airbags": (msgid("Airbag"), msgid("A bag that inflates from a panel.")),
    "springs.linear": (
        msgid("Spring and damper"),
        msgid("Joins two points by stiffness and damping."),
    ),
    "springs.tabulated": (msgid("Spring by curve"), msgid("Joins two points by a curve of force.")),
    "springs.bushing": (msgid("Bushing"), msgid("Six springs and dampers between two frames.")),
    "springs.disc": (msgid("Disc"), msgid("A short elastic column, as between two vertebrae.")),
    "tension_elements": (
        msgid("Tension element"),
        msgid("A heavy string that pulls and never pushes."),
    ),
    "constraints.zero_distance": (
        msgid("Two points in one"),
        msgid("Holds two points together and closes a loop."),
    ),
    "constraints.fixed_distance": (
        msgid("Fixed distance"),
        msgid("Holds two points at a distance, like a rod."),
    ),
    "constraints.roll_slide": (
        msgid("Rolling"),
        msgid("Keeps an ellipsoid on a plane, rolling or sliding."),
    ),
    "constraints.condyle": (
        msgid("Ball in socket"),
        msgid(
            "Lets an ellipsoid roll and slide in another or on it: a ball in its cup, a condyle."
        ),
    ),
    "constraints.edge_on_edge": (
        msgid("Edge on edge"),
        msgid("Keeps an edge of a plane along another, held or sliding."),
    ),
    "constraints.point_on_line": (
        msgid("Point on a line"),
        msgid("Keeps a point of a segment on a straight line of another, as a pin in a slot."),
    ),
    "constraints.point_on_plane": (
        msgid("Point on a plane"),
        msgid("Keeps a point of a segment on a plane of another."),
    ),
    "constraints.point_on_curve": (
        msgid("Cam and follower"),
        msgid("Keeps a point, or a roller, on a curve of another segment: a cam, a curved slot."),
    ),
    "constraints.parallel_axes": (
        msgid("Parallel axes"),
        msgid("Keeps an axis of a segment parallel to one of another."),
    ),
    "constraints.revolute": (
        msgid("Pin that closes a loop"),
        msgid("Holds two segments at one place and about one axis, in a single entry."),
    ),
    "constraints.cylindrical": (
        msgid("Rod in a bore"),
        msgid("Holds two segments on one axis, about which they turn and along which they slide."),
    ),
    "constraints.prismatic": (
        msgid("Slide that closes a loop"),
        msgid("Lets two segments slide along one axis without turning."),
    ),
    "constraints.universal_closure": (
        msgid("Cross that closes a loop"),
        msgid(
            "Holds two segments at one place as a universal joint does: a ball whose twist is locked."
        ),
    ),
    "constraints.weld": (
        msgid("Two frames as one"),
        msgid("Holds two segments together in place and turn, and tells what that bears."),
    ),
    "constraints.gear": (
        msgid("Gear"),
        msgid("Lets one axis of a joint turn with another at a ratio."),
    ),
    "constraints.belt_drive": (
        msgid("Belt or chain drive"),
        msgid(
            "Lets one axis of a joint turn with another by a belt or a chain that does not slip."
        ),
    ),
    "constraints.rack": (
        msgid("Rack and pinion"),
        msgid("Lets an axis of a joint slide as another one turns, at a radius."),
    ),
    "constraints.screw": (
        msgid("Screw and nut"),
        msgid("Lets an axis of a joint slide as another one turns, at a lead."),
    ),
    "constraints.coupled": (
        msgid("Axis by another axis"),
        msgid("Lets one axis of a joint be a function of another: a polynomial or a spline."),
    ),
    "coordinate_forces": (
        msgid("Force on a coordinate"),
        msgid(
            "Resists an axis of a joint, a distance, a component or an angle, or drives it: stops, friction, muscles, hinges, "
            "actuators."
        ),
    ),
    "beams": (
        msgid("Beam"),
        msgid("Bends and twists from end to end: a rod, a tube, a rib, a post."),
    ),
    "crash_frames": (
        msgid("Frame of plastic hinges"),
        msgid("Folds at the ends of its members: the front of a vehicle."),
    ),
    "flexible_elements": (
        msgid("Flexible element"),
        msgid("Bends a chain of segments as its ends turn."),
    ),
    "modal_bodies": (
        msgid("Modal body"),
        msgid("Lets a segment bend by its modes, as a beam does."),
    ),
    "motions": (
        msgid("Crash pulse or motion"),
        msgid(
            "Moves a segment as prescribed: a sled, a vehicle. What stands on ground goes along."
        ),
    ),
    "drivers": (
        msgid("Driver of a joint"),
        msgid("Moves an axis of a joint as prescribed; its other axes stay free."),
    ),
    "frame_drivers": (
        msgid("Driver of a point or frame"),
        msgid(
            "Moves one component of a point or a frame as prescribed, seen from ground or from a segment; the others stay "
            "free."
        ),
    ),
    "tyres": (
        msgid("Tyre"),
        msgid("Lets a segment roll on a plane as a wheel, with brake and drive."),
    ),
    "winds": (msgid("Wind"), msgid("Blows on surfaces.")),
    "markers": (
        msgid("Marker"),
        msgid("A point of a segment that was followed in a test; it does nothing in a run."),
    ),
    "meshes": (
        msgid("Mesh"),
        msgid("Shows a box until a file is read into it; nothing touches it."),
    ),
    "frames": (
        msgid("Frame"),
        msgid("A coordinate system of your own, in which places are typed and results told."),
    ),
    "unit_systems": (
        msgid("Unit system"),
        msgid("Units of your own, in which numbers are shown, typed and exported."),
    ),
    "loads.force": (msgid("Force"), msgid("Pushes on a point by a function of time.")),
    "loads.torque": (msgid("Torque"), msgid("Turns a segment by a function of time.")),
    "symmetry.planar": (msgid("Stays in plane"), msgid("Keeps a segment from moving sideways.")),
    "symmetry.mirror": (msgid("Mirror pair"), msgid("Moves two segments as mirror images.")),
    "outputs.point": (
        msgid("Motion of a point"),
        msgid("Position, velocity or acceleration of a point."),
    ),
    "outputs.rotation": (
        msgid("Turning of a segment"),
        msgid("Angles, angular velocity or acceleration."),
    ),
    "outputs.joint": (
        msgid("Joint angles and loads"),
        msgid("Angles, torques or reaction force of a joint."),
    ),
    "outputs.element": (
        msgid("Loads of an element"),
        msgid("Forces and states of a contact, belt, airbag or spring."),
    ),
    "outputs.body": (
        msgid("Figures of a body"),
        msgid("Mass centre, momenta and energy of several segments."),
    ),
    "outputs.injury": (
        msgid("Injury figure"),
        msgid("HIC, severity index or 3 ms value of an acceleration."),
    ),
    "runs": (msgid("Run"), msgid("How long and how finely to solve.")),
}
