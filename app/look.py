"""Colours and sizes of the window and the scene, light and dark, in one place."""

from __future__ import annotations

from dataclasses import dataclass, replace

from solver.scene.tones import BAG_TONE, BELT_EDGE, BELT_TONE, mixed


@dataclass(frozen=True, slots=True)
class Theme:
    """One neutral scale, one accent, the colours of the three severities, and one for good.

    `axes` are the colours of x, y and z of handles and joints; each carries its letter too.
    """

    dark: bool
    window: str
    panel: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    accent_soft: str
    error: str
    warning: str
    note: str
    good: str
    sky: str
    haze: str
    ground: str
    grid: str
    shadow: float
    belt: str
    belt_edge: str
    axes: tuple[str, str, str]
    strong: bool = False
    """Whether contrast is high: fields and buttons have edges that are plainly seen."""


LIGHT = Theme(
    dark=False,
    window="#f3f2ef",
    panel="#fbfaf8",
    raised="#ffffff",
    line="#dedbd5",
    text="#26241f",
    muted="#6f6a61",
    accent="#1f6fb2",
    accent_soft="#dce9f5",
    error="#b3261e",
    warning="#8a5a00",
    note="#3f6480",
    good="#2f7d5b",
    sky="#cfdce8",
    haze="#f5f4f0",
    ground="#d9d6cf",
    grid="#a9a498",
    shadow=0.42,
    belt=BELT_TONE,
    belt_edge=BELT_EDGE,
    axes=("#d24a43", "#3c9a55", "#3a78d8"),
)

DARK = Theme(
    dark=True,
    window="#1f2022",
    panel="#26272a",
    raised="#2e3033",
    line="#3b3d41",
    text="#ecebe8",
    muted="#a3a19b",
    accent="#6cb2ee",
    accent_soft="#2b4258",
    error="#ff8a80",
    warning="#f0b955",
    note="#9cc4e2",
    good="#6fcf9f",
    sky="#262c34",
    haze="#3e4146",
    ground="#222326",
    grid="#6c6f75",
    shadow=0.60,
    belt="#6a727b",
    belt_edge="#b4bac1",
    axes=("#d24a43", "#3c9a55", "#3a78d8"),
)

LIGHT_SAFE = replace(
    LIGHT,
    error="#c24a00",
    warning="#5a1f5c",
    good="#0072b2",
    note="#6f6a61",
    axes=("#c64a00", "#3fae88", "#1a4fa0"),
)
DARK_SAFE = replace(
    DARK,
    error="#f07a2e",
    warning="#f6ea8a",
    good="#56b4e9",
    note="#a8a39a",
    axes=("#f07a2e", "#8fe6c6", "#4a86d8"),
)
"""Colours with meaning that people with any colour vision can tell apart."""

LIGHT_STRONG = replace(
    LIGHT_SAFE,
    strong=True,
    window="#ffffff",
    panel="#ffffff",
    line="#55524c",
    text="#000000",
    muted="#33302b",
    accent="#00438a",
    accent_soft="#cfe4fb",
    error="#8f2f00",
    warning="#5a1f5c",
    good="#00527f",
    note="#33302b",
)
DARK_STRONG = replace(
    DARK_SAFE,
    strong=True,
    window="#000000",
    panel="#000000",
    raised="#0d0d0d",
    line="#b9b7b2",
    text="#ffffff",
    muted="#dcdad5",
    accent="#8ecbff",
    accent_soft="#12406b",
    error="#ffa066",
    warning="#f6ea8a",
    good="#8fd4ff",
    note="#dcdad5",
)
"""High contrast: words at least 7 to 1 on their ground, edges 4.5 to 1; the colours that everyone can tell apart."""

FORCE_TONES = {"contacts": "#c8402f", "webbing": "#7f5cc4", "airbags": "#0a6b52"}
ACTING_TONES = {
    "belts": "#7f5cc4",
    "airbags": "#0a8f6e",
    "contacts": "#c8402f",
    "joints": "#2f7fc0",
    "springs": "#b5892a",
    "muscles": "#a83e66",
    "constraints": "#8c5a3c",
    "drivers": "#3f5f8f",
    "loads": "#d0661a",
    "winds": "#4a9bb0",
    "motion": "#4d5560",
    "weight": "#7a7d83",
    "rest": "#c2257e",
}
"""Of what acts on a part, by its source."""
START_TONE = "#8c8f96"
"""Of the ghost of the start pose; that of another run has the next."""
OTHER_TONE = "#2f7fc0"
LOAD_TONES = ("#34383d", "#75406f", "#cf4a5a", "#f2a040", "#fbe594")
"""From slack webbing to the highest load; they also grow lighter, so that no hue is needed."""

PRESSURE_TONES = (BAG_TONE, "#b5dbd2", "#5aa597")
"""Of a bag without pressure to the highest; they also grow darker."""

LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00", "#6b4fa0")
"""Colours of curves that people with any colour vision can tell apart (Okabe and Ito)."""


def theme_for(dark: bool, safe: bool, strong: bool = False) -> Theme:
    """The colours for light or dark, for any colour vision or in high contrast where that is wanted."""
    if strong:
        return DARK_STRONG if dark else LIGHT_STRONG
    if safe:
        return DARK_SAFE if dark else LIGHT_SAFE
    return DARK if dark else LIGHT


def mix_hex(colour: str, other: str, part: float) -> str:
    """Mix two colours into a third, as '#rrggbb'."""
    return "#" + "".join(f"{round(c * 255):02x}" for c in mixed(colour, other, part))


def read_on(ground: str) -> str:
    """Give black or white for words, whichever is told better from a ground by the contrast of WCAG 2.1: never less than 4.5."""
    parts = [int(ground[n : n + 2], 16) / 255.0 for n in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # where both have the same contrast, the root of 1.05 x 0.05, less the 0.05 of all light around
    return "#000000" if light > 0.1791 else "#ffffff"
