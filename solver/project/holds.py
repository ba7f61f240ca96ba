"""What holds joints, and may give: locks of turns, and loads at which joints break (section 6; seed 003, p. 22)."""

from __future__ import annotations

from solver.project.fields import Flag, Number, Part, choice, number


class Lock(Part):
    """Hold an axis until a torque opens it, and hold it again when torque or rate fall (section 6)."""

    locked: Flag = choice(False, "Locked at start", "Whether the axis is held at the start.")
    unlock_torque_nm: Number | None = number(
        None,
        "N*m",
        "Unlock torque",
        "Torque above which a held axis opens; none for never.",
        gt=0,
    )
    lock_torque_nm: Number | None = number(
        None,
        "N*m",
        "Lock torque",
        "Torque below which an open axis is held again.",
        gt=0,
    )
    lock_rate_rad_per_s: Number | None = number(
        None, "rad/s", "Lock rate", "Rate below which an open axis is held again.", gt=0
    )
    keeps_torque: Flag = choice(
        False,
        "Keeps the torque",
        "Once it has opened, the unlock torque stays against the motion until that turns round; then the axis is "
        "held again (seed 003, p. 23).",
    )


class Breakage(Part):
    """Open a joint into a free one when its load passes a limit.

    Limits may be those of the whole load or of its components along the axes of the parent's frame. Over
    a ramp the load fades as the parts come away; before its end the joint may close again.
    """

    force_n: Number | None = number(None, "N", "Force", "Force at which the joint breaks.", gt=0)
    torque_nm: Number | None = number(
        None, "N*m", "Torque", "Torque at which the joint breaks.", gt=0
    )
    force_x_n: Number | None = number(None, "N", "Force along x", "Either way.", gt=0)
    force_y_n: Number | None = number(None, "N", "Force along y", "Either way.", gt=0)
    force_z_n: Number | None = number(None, "N", "Force along z", "Either way.", gt=0)
    torque_x_nm: Number | None = number(None, "N*m", "Torque about x", "Either way.", gt=0)
    torque_y_nm: Number | None = number(None, "N*m", "Torque about y", "Either way.", gt=0)
    torque_z_nm: Number | None = number(None, "N*m", "Torque about z", "Either way.", gt=0)
    ramp_m: Number | None = number(
        None,
        "m",
        "Ramp of the force",
        "Separation over which the force at the break fades; none: it is gone at once.",
        gt=0,
    )
    ramp_rad: Number | None = number(
        None,
        "rad",
        "Ramp of the torque",
        "Turn over which the torque at the break fades; none: it is gone at once.",
        gt=0,
    )
    heals_below_m: Number | None = number(
        None,
        "m",
        "Heals below",
        "Separation within which parts that come back close again, with limits as low as the load has become; "
        "none: never.",
        gt=0,
    )
    heals_below_rad: Number | None = number(
        None,
        "rad",
        "Heals below a turn",
        "Turn from the attitude at the break within which they close again; none: at any.",
        gt=0,
    )

    @property
    def limits(self) -> tuple[float | None, ...]:
        """Give all loads at which it may break."""
        forces = self.force_n, self.force_x_n, self.force_y_n, self.force_z_n
        return (*forces, self.torque_nm, self.torque_x_nm, self.torque_y_nm, self.torque_z_nm)

    @property
    def fades(self) -> bool:
        """Tell whether it breaks over a ramp."""
        return self.ramp_m is not None or self.ramp_rad is not None
