"""Cars on wheels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypedDict, Unpack

from manikin.changing import Changing
from solver.bodies.crush import Crush, with_crush
from solver.bodies.suspension import Suspension
from solver.bodies.vehicles import Car, on_wheels
from solver.editing.cars import car_into


class CarNumbers(TypedDict, total=False):
    """Numbers of a car; what is left out is as `solver.bodies.vehicles.Car` has it."""

    mass_kg: float
    wheelbase_m: float
    track_m: float
    height_m: float
    front_ratio: float
    length_m: float
    width_m: float
    roof_m: float
    wheel_kg: float
    front_hz: float
    rear_hz: float
    damping_ratio: float
    inertia_kgm2: tuple[float, float, float] | None
    front_axle: Suspension | None
    rear_axle: Suspension | None
    speed_m_per_s: float
    at_m: tuple[float, float]
    yaw_rad: float
    roll_rad: float
    lift_m: float
    velocity_m_per_s: tuple[float, float, float] | None
    turning_rad_per_s: tuple[float, float, float]
    blocks: bool
    corners_n_per_m: float | None
    corners_restitution: float
    corners_friction: float
    corners_deepest_m: float
    road_m: float
    payload_kg: float
    payload_at_m: tuple[float, float] | None
    tyre: Mapping[str, Any]
    front_tyre: Mapping[str, Any]
    rear_tyre: Mapping[str, Any]
    steer_rad: float | str | None
    front_brake_nm: float | str
    rear_brake_nm: float | str
    front_drive_nm: float | str
    rear_drive_nm: float | str


class Driving(Changing):
    """Cars in a model."""

    def add_car(
        self, id: str = "car", *, road: str | None = None, **numbers: Unpack[CarNumbers]
    ) -> Self:
        """Put a car into the model, as `mk.car` makes it; `road` is a plane, of the ground or of a segment, which may slope; without one an endless plane at z = 0 is made.

        The middle of the front axle comes to stand over `at_m`; without yaw the car heads along x, up or down with the road, as it rests on a level one.

        `at_m` are x and y of the ground, and `yaw_rad` 0 is ahead along its x, as the road slopes. The speed is over the ground.
        Its body is the segment `id`, its wheels, struts and tyres are `id_front_left` and so on. Raises VehicleError.

        >>> two = mk.car().add_car("other", road="road", at_m=(8.0, 0.0))
        >>> [one.id for one in two.project.tyres][4]
        'other_front_left'
        """
        return self._with(car_into(self._project, Car(**numbers), id, road))

    def add_crush(
        self,
        id: str,
        a_n_per_m: float,
        b_n_per_m2: float,
        width_m: float,
        *,
        other: tuple[float, float, float] | None = None,
        restitution: float | None = None,
        friction: float = 0.5,
    ) -> Self:
        """Add a contact law of the crush of a car by A and B of CRASH3 over a width, against a barrier, or with `other` (its A, B and width) against another car.

        It springs back by A / B, along a line unless a `restitution` is given. Cars that are to be crushed are made with `blocks=True`,
        whose surfaces `nose` and `tail` touch barriers, and the planes `id_nose_face` and `id_tail_face` of others (docs/vehicles.md). Raises VehicleError.

        >>> model = mk.car(blocks=True).add_crush("crush", 5.5e4, 5.0e5, 1.5)
        >>> model.project.contact_laws[-1].kind
        'hysteretic'
        """
        second = None if other is None else Crush(*other)
        return self._with(
            with_crush(
                self._project, id, Crush(a_n_per_m, b_n_per_m2, width_m), second,
                restitution=restitution, friction=friction,
            )
        )  # fmt: skip

    def ride(
        self,
        segment: str = "vehicle",
        id: str = "car",
        *,
        behind_m: float = 1.4,
        over_road_m: float = 0.48,
        inside_kg: float = 60.0,
        **numbers: Unpack[CarNumbers],
    ) -> Self:
        """Let a segment, and all that it carries, ride in a car: its motion goes, and it is fixed to the car's body.

        Its origin lies `behind_m` behind the front axle and `over_road_m` over the road. Its mass becomes `inside_kg`; with who rides in it that is
        a part of the car's mass, each where it is. Raises VehicleError.

        >>> model = mk.crash("frontal", bag="").ride(speed_m_per_s=14.0, front_brake_nm=1200.0)
        >>> model.project.motions
        ()
        """
        return self._with(
            on_wheels(self._project, segment, Car(**numbers), id, behind_m, over_road_m, inside_kg)
        )
