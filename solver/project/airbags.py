"""Airbags: gas supply, bag, reaction panels, vents (section 7.4)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from solver.project.belts import TimeTrigger, Trigger
from solver.project.contact import (
    FrictionLaw,
    friction_damping,
    friction_law,
    friction_stiffness,
)
from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Element,
    Flag,
    Id,
    Number,
    NumberOrFunction,
    Part,
    Positive3,
    Vec3,
    choice,
    function,
    number,
    ref,
    value_or_function,
)
from solver.project.geometry import Orientation, SurfaceRef


class Gas(Part):
    """Describe a perfect gas."""

    heat_ratio: Number = number(
        1.4,
        "1",
        "Ratio of specific heats",
        "Gamma; 1.4 for air and nitrogen.",
        gt=1,
        le=1.7,
    )
    gas_constant_j_per_kgk: Number = number(
        287.05, "J/(kg*K)", "Gas constant", "287.05 for air, 296.8 for nitrogen.", gt=0
    )


class TankInflator(Part):
    """Blow gas from a tank through a choked nozzle (section 7.4.5)."""

    kind: Literal["tank"] = choice("tank", "Kind", "A pressure tank.")
    volume_m3: Number = number(REQUIRED, "m3", "Volume", "Volume of the tank.", gt=0)
    pressure_pa: Number = number(REQUIRED, "Pa", "Pressure", "Absolute pressure at firing.", gt=0)
    temperature_k: Number = number(293.15, "K", "Temperature", "Gas temperature at firing.", gt=0)
    throat_area_m2: Number = number(REQUIRED, "m2", "Throat area", "Area of the nozzle.", gt=0)
    discharge: Number = number(1.0, "1", "Discharge", "Nozzle coefficient.", gt=0, le=1)


class MassFlowInflator(Part):
    """Blow gas as measured: mass flow and temperature by time from firing."""

    kind: Literal["mass_flow"] = choice("mass_flow", "Kind", "Tabulated flow.")
    flow: Id = function(REQUIRED, "s", "kg/s", "Mass flow", "Flow by time from firing.")
    temperature: NumberOrFunction = value_or_function(
        REQUIRED,
        "K",
        "s",
        "Temperature",
        "Gas temperature, or a function of time from firing.",
    )


class Vent(Part):
    """Let gas out through an orifice."""

    area_m2: Number = number(REQUIRED, "m2", "Area", "Area of the hole.", gt=0)
    discharge: Number = number(0.6, "1", "Discharge", "Discharge coefficient.", gt=0, le=1)
    opens_at_pa: Number = number(
        0.0, "Pa", "Opens at", "Gauge pressure at which it opens; 0: always open.", ge=0
    )
    stays_open: Flag = choice(
        False, "Stays open", "Whether it remains open when pressure has fallen again."
    )
    flow: Literal["compressible", "incompressible"] = choice(
        "compressible",
        "Flow law",
        "compressible: subsonic or choked nozzle flow; incompressible: as in the later program.",
    )


class Leakage(Part):
    """Let gas through the fabric."""

    area_m2: Number = number(REQUIRED, "m2", "Fabric area", "Area of the leaking fabric.", gt=0)
    ratio: NumberOrFunction = value_or_function(
        REQUIRED,
        "1",
        "Pa",
        "Open ratio",
        "Open part of the area, or a function of gauge pressure.",
    )


class Airbag(Element):
    """Inflate an ellipsoidal bag from a panel, then let it move and press (section 7.4)."""

    NEEDS_ONE_OF: ClassVar = ("panels", "planes")

    panels: tuple[SurfaceRef, ...] = choice(
        (),
        "Reaction panels",
        "Surfaces that hold the bag; the first carries the deployment point.",
        max_length=50,
    )
    planes: tuple[Id, ...] = ref(
        (),
        "planes",
        "Flat panels",
        "Planes that hold the bag, by their front: a dash, a windscreen. Where no surface is a panel, the first carries the deployment point.",
        max_length=50,
    )
    deployment_point_m: Vec3 = number(
        ZERO3,
        "m",
        "Deployment point",
        "From the first panel's centre, in that panel's axes; of a plane from its middle, x along its first edge, z out of its front.",
    )
    orientation: Orientation = choice(
        Orientation(),
        "Orientation",
        "Turn of the bag's axes from the carrying segment's axes.",
    )
    semi_axes_m: Positive3 = number(
        REQUIRED,
        "m",
        "Semi-axes",
        "Half lengths of the full bag; it grows towards its -x.",
    )
    centre_offset_m: Vec3 = number(
        ZERO3,
        "m",
        "Centre offset",
        "Ellipsoid's centre from the bag's mass centre, bag axes.",
    )
    fabric_mass_kg: Number = number(REQUIRED, "kg", "Fabric mass", "Mass of the bag alone.", gt=0)
    inertia: Literal["solid", "shell"] = choice(
        "solid",
        "Inertia",
        "solid: (b2 + c2)/5 as printed in 7.4.1; shell: a thin ellipsoidal shell.",
    )
    mass_factor: Number = number(
        1.0, "1", "Mass factor", "Factor on the mass of bag and gas in motion.", gt=0
    )
    trigger: Trigger = choice(TimeTrigger(), "Trigger", "When the inflator fires.")
    inflator: Annotated[TankInflator | MassFlowInflator, Field(discriminator="kind")] = choice(
        REQUIRED, "Inflator", "Where the gas comes from."
    )
    gas: Gas = choice(Gas(), "Gas", "Gas of the inflator.")
    ambient_pressure_pa: Number = number(
        101325.0, "Pa", "Ambient pressure", "Absolute pressure outside.", gt=0
    )
    vents: tuple[Vent, ...] = choice((), "Vents", "Holes that let gas out.", max_length=50)
    leakage: Leakage | None = choice(None, "Leakage", "Flow through the fabric.")
    panel_stiffness_n_per_m: Number = number(
        0.0,
        "N/m",
        "Spring to panel",
        "Holds the bag's +x end at the deployment point while it does not touch the panel.",
        ge=0,
    )
    friction: Number = number(
        0.0, "1", "Friction", "Coefficient on everything it touches.", ge=0, le=10
    )
    friction_law: FrictionLaw = friction_law()
    friction_ramp_m_per_s: Number = number(
        0.254, "m/s", "Friction ramp", "As printed: sliding speed at which friction is full.", gt=0
    )
    friction_stiffness_ratio: Number = friction_stiffness()
    friction_damping_ratio: Number = friction_damping()
    touches: tuple[SurfaceRef, ...] = choice(
        (), "Touches", "Surfaces of occupants and vehicle that the bag may press on."
    )
