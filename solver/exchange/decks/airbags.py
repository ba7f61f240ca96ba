"""Cards D.4 and F.6: airbags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.base.words import Sentence
from solver.exchange.decks.bodies import surface
from solver.exchange.decks.order import Row

if TYPE_CHECKING:
    from solver.exchange.decks.taking import Taking

RANKINE = 5.0 / 9.0
"""Kelvin in a degree of the scale that the cards use with inches and pounds."""


def name_bags(taking: Taking) -> None:
    """Give bags their numbers between the vehicles and the ground; they are no segments here."""
    for number, _ in enumerate(taking.deck.of("D.4.a"), 1):
        taking.bags.append(f"bag_{number}")


def take_airbags(taking: Taking) -> None:
    """Take the bags with their panels and what they may press on."""
    touches = {row["bag"]: row for row in taking.deck.of("F.6")}
    cards = [f"D.4.{letter}" for letter in "abcdefgh"]
    for number, block in enumerate(taking.deck.blocks(*cards), 1):
        _airbag(taking, block, number, touches.get(number))


def _airbag(taking: Taking, block: list[Row], number: int, on: Row | None) -> None:
    a, b, c, d, e, f = block[:6]
    panels = block[6:]
    units = taking.units
    if not panels:
        taking.impossible(a, "A bag needs a panel that carries it.")
        return
    vehicle = taking.segments[-1]
    refs = [
        _panel(taking, g, h, vehicle, number, k)
        for k, (g, h) in enumerate(zip(panels[::2], panels[1::2], strict=True), 1)
    ]
    name = taking.named("airbags", f"bag_{number}", "bag")
    pressure = units.pressure
    vent: dict[str, Any] | None = None
    if f["vent"] > 0.0:
        vent = {"area_m2": f["vent"] * units.length**2, "discharge": e["vent_coefficient"],
                "opens_at_pa": e["opens"] * pressure, "flow": "incompressible"}  # fmt: skip
    factor = f["factor"]
    if factor == 0.0:
        taking.rule(f, "Without a factor on the mass 1 is taken.")
        factor = 1.0
    path = taking.add(
        "airbags", a, id=name, name=a["title"].strip(), group="Restraints", panels=refs,
        deployment_point_m=taking.lengths(c["point"]), orientation=taking.turn(c, "angles"),
        semi_axes_m=taking.lengths(b["semi_axes"]), centre_offset_m=taking.lengths(b["centre"]),
        fabric_mass_kg=d["weight"] * units.mass, mass_factor=factor,
        trigger={"kind": "time", "time_s": d["time"] * units.time},
        ambient_pressure_pa=d["ambient"] * pressure,
        inflator={"kind": "tank", "volume_m3": d["volume"] * units.length**3,
                  "pressure_pa": (d["supply"] + d["ambient"]) * pressure,
                  "temperature_k": d["temperature"] * RANKINE,
                  "throat_area_m2": e["throat"] * units.length**2, "discharge": e["nozzle"]},
        gas={"heat_ratio": e["ratio"],
             "gas_constant_j_per_kgk": e["gas"] * units.torque / (units.mass * RANKINE)},
        vents=[vent] if vent else [], panel_stiffness_n_per_m=f["spring"] * units.force / units.length,
        friction=f["friction"], touches=_touches(taking, on) if on else [],
    )  # fmt: skip
    for row in (*block, *([on] if on else [])):
        taking.took(row, path)
    taking.rule(d, "Temperatures in degrees Rankine, gas constants by them and by weight.", path)
    if f["unused"]:
        taking.note(
            f, Sentence("The fourth number ({value:g}) is used nowhere.", value=f["unused"])
        )


def _panel(taking: Taking, g: Row, h: Row, vehicle: str, bag: int, number: int) -> dict[str, str]:
    """Put a panel's ellipsoid on the vehicle; its centre counts along the panel's own axes."""
    from solver.engine.maths.rotation import from_angles
    from solver.exchange.decks.units import DEGREE

    axes = from_angles([a * DEGREE for a in h["angles"]], "zyx")
    offset = axes @ taking.lengths(g["centre"])
    centre = [p + float(o) for p, o in zip(taking.lengths(h["place"]), offset, strict=True)]
    name = f"panel_{bag}_{number}"
    shape: dict[str, Any] = {
        "id": name, "kind": "ellipsoid", "semi_axes_m": taking.lengths(g["semi_axes"]),
        "centre_m": centre, "source": f"line {g.line}, card {g.name}",
    }  # fmt: skip
    turn = taking.turn(h, "angles")
    if turn:
        shape["orientation"] = turn
    taking.element("segments", vehicle)["surfaces"].append(shape)
    return {"segment": vehicle, "surface": name}


def _touches(taking: Taking, row: Row) -> list[dict[str, str]]:
    found = list[dict[str, str]]()
    for k in range(0, 2 * row["count"], 2):
        on = Row(row.card, {"segment": row["pairs"][k], "ellipsoid": row["pairs"][k + 1]}, row.line)
        ref = surface(taking, on, "segment", "ellipsoid")
        if ref and ref not in found:
            found.append(ref)
    return found
