"""Cars as models of their own."""

from __future__ import annotations

from typing import Unpack

from manikin.model import Model
from manikin.vehicles import CarNumbers
from solver.bodies.vehicles import Car
from solver.editing.cars import car_into


def car(**numbers: Unpack[CarNumbers]) -> Model:
    """A car on four wheels that rests on an endless road, or rolls along it (docs/vehicles.md).

    Mass, wheelbase, track, height of the mass centre, share of the weight in front, frequencies of the struts; `tyre` holds
    fields of its tyres (`Model.add_tyre`), `front_tyre` and `rear_tyre` those of one axle. Steering, brakes and drives are numbers or ids of
    functions of time, and inputs of a simulation. Raises VehicleError.

    >>> model = mk.car(mass_kg=1200.0, speed_m_per_s=20.0, front_brake_nm=900.0)
    >>> run = mk.run(model, until=0.5)
    >>> run["segments/car/velocity/x"].value[-1] < 19.5
    np.True_
    """
    return Model(car_into(None, Car(**numbers)))
