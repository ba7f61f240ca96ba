"""Airbags: gas supply, bag, reaction panels, vents (section 7.4).

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.airbags as _airbags
    import solver.project.geometry as _geometry
    from manikin.schema.belts import Trigger
    from manikin.schema.contact import FrictionLaw
    from manikin.schema.geometry import Orientation, SurfaceRef
    from manikin.schema.numbers import Vec3


class Gas(TypedDict, total=False):
    """Describe a perfect gas."""

    heat_ratio: float
    """Ratio of specific heats (1, > 1, ≤ 1.7, 1.4): Gamma; 1.4 for air and nitrogen."""
    gas_constant_j_per_kgk: float
    """Gas constant (J/(kg*K), > 0, 287.05): 287.05 for air, 296.8 for nitrogen."""


class TankInflator(TypedDict, total=False):
    """Blow gas from a tank through a choked nozzle (section 7.4.5)."""

    kind: Required[Literal["tank"]]
    """Kind ("tank"): A pressure tank."""
    volume_m3: Required[float]
    """Volume (m3, > 0, required): Volume of the tank."""
    pressure_pa: Required[float]
    """Pressure (Pa, > 0, required): Absolute pressure at firing."""
    temperature_k: float
    """Temperature (K, > 0, 293.15): Gas temperature at firing."""
    throat_area_m2: Required[float]
    """Throat area (m2, > 0, required): Area of the nozzle."""
    discharge: float
    """Discharge (1, > 0, ≤ 1, 1.0): Nozzle coefficient."""


class MassFlowInflator(TypedDict, total=False):
    """Blow gas as measured: mass flow and temperature by time from firing."""

    kind: Required[Literal["mass_flow"]]
    """Kind ("mass_flow"): Tabulated flow."""
    flow: Required[str]
    """Mass flow (id in functions, required): Flow by time from firing."""
    temperature: Required[float | str]
    """Temperature (id in functions, K, required): Gas temperature, or a function of time from firing."""


class Vent(TypedDict, total=False):
    """Let gas out through an orifice."""

    area_m2: Required[float]
    """Area (m2, > 0, required): Area of the hole."""
    discharge: float
    """Discharge (1, > 0, ≤ 1, 0.6): Discharge coefficient."""
    opens_at_pa: float
    """Opens at (Pa, ≥ 0, 0.0): Gauge pressure at which it opens; 0: always open."""
    stays_open: bool
    """Stays open (false): Whether it remains open when pressure has fallen again."""
    flow: Literal["compressible", "incompressible"]
    """Flow law ("compressible"): compressible: subsonic or choked nozzle flow; incompressible: as in the later program."""


class Leakage(TypedDict, total=False):
    """Let gas through the fabric."""

    area_m2: Required[float]
    """Fabric area (m2, > 0, required): Area of the leaking fabric."""
    ratio: Required[float | str]
    """Open ratio (id in functions, 1, required): Open part of the area, or a function of gauge pressure."""


class Airbag(Element, total=False):
    """Inflate an ellipsoidal bag from a panel, then let it move and press (section 7.4)."""

    panels: Sequence[SurfaceRef | _geometry.SurfaceRef]
    """Reaction panels (at most 50 entries, []): Surfaces that hold the bag; the first carries the deployment point."""
    planes: Sequence[str]
    """Flat panels (id in planes, at most 50 entries, []): Planes that hold the bag, by their front: a dash, a windscreen. Where no surface is a panel, the first carries the deployment point."""
    deployment_point_m: Vec3
    """Deployment point (m, [0.0, 0.0, 0.0]): From the first panel's centre, in that panel's axes; of a plane from its middle, x along its first edge, z out of its front."""
    orientation: Orientation | _geometry.Orientation
    """Orientation (its own defaults): Turn of the bag's axes from the carrying segment's axes."""
    semi_axes_m: Required[Vec3]
    """Semi-axes (m, > 0, required): Half lengths of the full bag; it grows towards its -x."""
    centre_offset_m: Vec3
    """Centre offset (m, [0.0, 0.0, 0.0]): Ellipsoid's centre from the bag's mass centre, bag axes."""
    fabric_mass_kg: Required[float]
    """Fabric mass (kg, > 0, required): Mass of the bag alone."""
    inertia: Literal["solid", "shell"]
    """Inertia ("solid"): solid: (b2 + c2)/5 as printed in 7.4.1; shell: a thin ellipsoidal shell."""
    mass_factor: float
    """Mass factor (1, > 0, 1.0): Factor on the mass of bag and gas in motion."""
    trigger: Trigger
    """Trigger (its own defaults): When the inflator fires."""
    inflator: Required[
        TankInflator | _airbags.TankInflator | MassFlowInflator | _airbags.MassFlowInflator
    ]
    """Inflator (required): Where the gas comes from."""
    gas: Gas | _airbags.Gas
    """Gas (its own defaults): Gas of the inflator."""
    ambient_pressure_pa: float
    """Ambient pressure (Pa, > 0, 101325.0): Absolute pressure outside."""
    vents: Sequence[Vent | _airbags.Vent]
    """Vents (at most 50 entries, []): Holes that let gas out."""
    leakage: Leakage | _airbags.Leakage | None
    """Leakage (none): Flow through the fabric."""
    panel_stiffness_n_per_m: float
    """Spring to panel (N/m, ≥ 0, 0.0): Holds the bag's +x end at the deployment point while it does not touch the panel."""
    friction: float
    """Friction (1, ≥ 0, ≤ 10, 0.0): Coefficient on everything it touches."""
    friction_law: FrictionLaw
    """Friction law ("printed"): bristle: elastic up to the coefficient, then it slides; what rests stays where it is. What slides and spins at once is as exact as the step is short, which no tolerance sees: compare with a finer one. printed: by the sliding speed alone, as the 1981 program; what leans on it creeps."""
    friction_ramp_m_per_s: float
    """Friction ramp (m/s, > 0, 0.254): As printed: sliding speed at which friction is full."""
    friction_stiffness_ratio: float
    """Friction stiffness (1, > 0, ≤ 100, 0.67): Stiffness of bristles in parts of the pressing force by its depth: 0.67 for what keeps its volume, as rubber and flesh do, up to 1 for what can be pressed together (Mindlin)."""
    friction_damping_ratio: float
    """Friction damping (1, ≥ 0, ≤ 10, 0.3): Damping of bristles in parts of the critical one for the masses of both bodies; assumed, 0.1 to 1."""
    touches: Sequence[SurfaceRef | _geometry.SurfaceRef]
    """Touches ([]): Surfaces of occupants and vehicle that the bag may press on."""
