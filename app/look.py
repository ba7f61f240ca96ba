"""Colours and sizes of the window and the scene, light and dark, in one place."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Theme:
    """Hold one neutral scale, one accent, the colours of the three severities, and one for good."""

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
    sky_top: str
    sky_bottom: str
    grid: str
    shadow: float


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
    sky_top="#f7f6f3",
    sky_bottom="#dedcd6",
    grid="#a9a498",
    shadow=0.42,
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
    sky_top="#3a3c40",
    sky_bottom="#222326",
    grid="#6c6f75",
    shadow=0.60,
)

BODY_TONES = ("#dcbfa3", "#cfa98b", "#e5cfb8")
"""Warm and matte; neighbours in a tree take different ones."""
VEHICLE_TONE = "#b4bac0"
PLANE_TONE = "#6f94b5"
BELT_TONE = "#34383d"
BELT_EDGE = "#9aa1a8"
BAG_TONE = "#f4f1ea"
BAG_EDGE = "#8f8676"
PACK_TONE = "#d9cfbd"
JOINT_TONE = "#5d3f2c"
LINK_TONE = "#4d7f6a"
FORCE_TONES = {"contacts": "#c8402f", "webbing": "#7f5cc4", "airbags": "#0a6b52"}
START_TONE = "#8c8f96"
"""Of the ghost of the start pose; that of another run has the next."""
OTHER_TONE = "#2f7fc0"
LOAD_TONES = ("#34383d", "#75406f", "#cf4a5a", "#f2a040", "#fbe594")
"""From slack webbing to the highest load; they also grow lighter, so that no hue is needed."""

PRESSURE_TONES = (BAG_TONE, "#b5dbd2", "#5aa597")
"""Of a bag without pressure to the highest; they also grow darker."""

LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a6a00", "#6b4fa0")
"""Colours of curves that people with any colour vision can tell apart (Okabe and Ito)."""
AXIS_TONES = ("#d24a43", "#3c9a55", "#3a78d8")
"""Colours of x, y and z of handles; each handle carries its letter too."""


def rgb(colour: str) -> Rgb:
    """Turn '#rrggbb' into three numbers from 0 to 1."""
    return tuple(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))  # type: ignore[return-value]


def mixed(colour: str, other: str, part: float) -> Rgb:
    """Mix `part` of another colour into a colour."""
    a, b = rgb(colour), rgb(other)
    return tuple(x + (y - x) * part for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


def style_sheet(theme: Theme) -> str:
    """Give the window's style sheet: flat panels on an 8-pixel grid, one line between them."""
    t = theme
    return f"""
    QWidget {{ color: {t.text}; font-size: 13px; }}
    QMainWindow, QWidget#page {{ background: {t.window}; }}
    QWidget#panel {{ background: {t.panel}; }}
    QMenuBar {{ background: {t.window}; padding: 2px 4px; }}
    QMenuBar::item {{ padding: 4px 8px; background: transparent; border-radius: 4px; }}
    QMenuBar::item:selected {{ background: {t.accent_soft}; }}
    QMenu {{ background: {t.raised}; border: 1px solid {t.line}; padding: 4px; }}
    QMenu::item {{ padding: 5px 28px 5px 24px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {t.accent_soft}; }}
    QMenu::item:disabled {{ color: {t.muted}; }}
    QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
    QSplitter::handle {{ background: {t.line}; }}
    QSplitter::handle:horizontal {{ width: 1px; }}
    QSplitter::handle:vertical {{ height: 1px; }}
    QFrame#floating {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 8px; }}
    QLabel#heading {{ font-size: 17px; font-weight: 600; }}
    QLabel#title {{ font-size: 26px; font-weight: 600; }}
    QLabel#muted, QLabel#section {{ color: {t.muted}; }}
    QLabel#section {{ font-weight: 600; }}
    QLineEdit {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 6px;
        padding: 5px 8px; selection-background-color: {t.accent}; }}
    QLineEdit:focus {{ border-color: {t.accent}; }}
    QLineEdit#value, QLineEdit#narrow {{ padding: 3px 6px; border-radius: 4px; border-color: transparent;
        background: {mix_hex(t.panel, t.line, 0.35)}; }}
    QLineEdit#narrow {{ padding: 3px 2px; }}
    QLineEdit#value:hover, QLineEdit#narrow:hover {{ border-color: {t.line}; }}
    QLineEdit#value:focus, QLineEdit#narrow:focus {{ border-color: {t.accent}; background: {t.raised}; }}
    QLineEdit#value[refused="true"], *[refused="true"] {{ border-color: {t.error}; }}
    QPlainTextEdit {{ background: {mix_hex(t.panel, t.line, 0.35)}; border: 1px solid transparent;
        border-radius: 4px; padding: 2px; }}
    QPlainTextEdit:focus {{ border-color: {t.accent}; background: {t.raised}; }}
    QLabel#error {{ color: {t.error}; font-size: 12px; }}
    QLabel#mark {{ color: {t.error}; font-size: 12px; }}
    QComboBox#choice {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 4px;
        padding: 2px 6px; min-height: 20px; }}
    QComboBox#choice:hover, QComboBox#choice:focus {{ border-color: {t.accent}; }}
    QComboBox#choice::drop-down {{ border: none; width: 20px; }}
    QComboBox#choice::down-arrow {{ image: none; }}
    QComboBox#choice QLineEdit {{ border: none; padding: 0; background: transparent; }}
    QScrollArea#form, QScrollArea#form > QWidget, QScrollArea#form > QWidget > QWidget {{
        background: {t.panel}; }}
    QLabel#key {{ font-weight: 600; }}
    QWidget#notice {{ background: {t.accent_soft}; border-bottom: 1px solid {t.line}; }}
    QPushButton#mend {{ padding: 1px 10px; border-radius: 4px; color: {t.accent}; }}
    QPushButton#link {{ background: transparent; border: none; color: {t.accent};
        text-align: left; padding: 3px 8px; border-radius: 4px; }}
    QPushButton#link:hover, QPushButton#link:focus {{ background: {t.accent_soft}; }}
    QListWidget {{ background: {t.panel}; border: none; outline: none; }}
    QListWidget::item {{ padding: 5px 6px; border-radius: 4px; }}
    QListWidget::item:selected {{ background: {t.accent_soft}; color: {t.text}; }}
    QDialog#panel {{ background: {t.panel}; border: 1px solid {t.line}; }}
    QTreeView {{ background: {t.panel}; border: none; outline: none; }}
    QTreeView::item {{ padding: 3px 4px; border: none; }}
    QTreeView::item:hover {{ background: {mix_hex(t.panel, t.accent_soft, 0.5)}; }}
    QTreeView::item:selected {{ background: {t.accent_soft}; color: {t.text}; }}
    QHeaderView {{ background: {t.panel}; }}
    QHeaderView::section {{ background: {t.panel}; color: {t.muted}; border: none;
        border-bottom: 1px solid {t.line}; padding: 4px; }}
    QScrollArea {{ border: none; background: transparent; }}
    QPushButton {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 6px;
        padding: 7px 16px; }}
    QPushButton:hover, QPushButton:focus {{ border-color: {t.accent}; }}
    QPushButton:disabled {{ color: {t.muted}; background: {t.window}; }}
    QPushButton#primary {{ background: {t.accent}; border-color: {t.accent};
        color: {t.panel}; font-weight: 600; }}
    QPushButton#primary:hover, QPushButton#primary:focus {{ border-color: {t.text}; }}
    QPushButton#primary:disabled {{ background: {t.line}; border-color: {t.line}; color: {t.muted}; }}
    QPushButton#small {{ padding: 4px 12px; }}
    QPushButton#small:checked {{ background: {t.accent_soft}; border-color: {t.accent}; }}
    QPushButton#run {{ background: {t.accent}; border-color: {t.accent}; color: {t.panel};
        font-weight: 600; padding: 4px 16px; }}
    QPushButton#run:hover, QPushButton#run:focus {{ border-color: {t.text}; }}
    QPushButton#run:disabled {{ background: {t.line}; border-color: {t.line}; color: {t.muted}; }}
    QPushButton#mood {{ padding: 4px 14px; min-width: 44px; border-radius: 0; margin: 0; }}
    QPushButton#mood[place="first"] {{ border-top-left-radius: 6px;
        border-bottom-left-radius: 6px; }}
    QPushButton#mood[place="last"] {{ border-top-right-radius: 6px;
        border-bottom-right-radius: 6px; border-left: none; }}
    QPushButton#mood:checked {{ background: {t.accent_soft}; color: {t.text}; font-weight: 600; }}
    QPushButton#mood:disabled {{ color: {t.muted}; background: {t.window}; }}
    QProgressBar {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 6px;
        text-align: center; color: {t.text}; }}
    QProgressBar::chunk {{ background: {t.accent_soft}; border-radius: 5px; }}
    QTabWidget::pane {{ border: none; border-top: 1px solid {t.line}; }}
    QTabBar {{ background: {t.window}; qproperty-drawBase: 0; }}
    QTabBar::tab {{ background: transparent; color: {t.muted}; padding: 6px 14px; border: none;
        border-bottom: 2px solid transparent; }}
    QLabel#remark {{ color: {t.warning}; padding: 0 12px 8px 12px; }}
    QTabBar::tab:hover {{ color: {t.text}; }}
    QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
    QComboBox, QSpinBox, QDoubleSpinBox {{ min-height: 24px; }}
    QComboBox QAbstractItemView {{ background: {t.raised}; border: 1px solid {t.line};
        selection-background-color: {t.accent_soft}; selection-color: {t.text}; }}
    QStatusBar {{ background: {t.window}; color: {t.muted}; }}
    QStatusBar::item {{ border: none; }}
    QLabel#tile {{ font-weight: 600; }}
    QPushButton#card {{ text-align: left; padding: 0; }}
    QToolButton {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 5px;
        padding: 4px 10px; }}
    QToolButton:hover, QToolButton:focus {{ border-color: {t.accent}; }}
    QToolButton#quiet {{ background: transparent; border: 1px solid transparent; padding: 2px; }}
    QToolButton#quiet:hover, QToolButton#quiet:focus {{ border-color: {t.line};
        background: {t.raised}; }}
    QToolButton#quiet:checked {{ background: {t.accent_soft}; }}
    QToolButton#quiet::menu-indicator {{ image: none; }}
    QToolButton#head {{ background: transparent; border: 1px solid transparent; padding: 2px 4px 2px 0;
        font-weight: 600; border-radius: 4px; }}
    QToolButton#head:checked {{ background: transparent; }}
    QToolButton#head:hover, QToolButton#head:focus {{ border-color: {t.line}; }}
    QToolButton:checked {{ background: {t.accent_soft}; }}
    QScrollBar {{ background: transparent; border: none; }}
    QScrollBar:vertical {{ width: 10px; }}
    QScrollBar:horizontal {{ height: 10px; }}
    QScrollBar::handle {{ background: {t.line}; border-radius: 4px; margin: 1px;
        min-height: 28px; min-width: 28px; }}
    QScrollBar::handle:hover {{ background: {t.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QToolTip {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.line};
        padding: 6px; }}
    """


def mix_hex(colour: str, other: str, part: float) -> str:
    """Mix two colours into a third, as '#rrggbb'."""
    return "#" + "".join(f"{round(c * 255):02x}" for c in mixed(colour, other, part))


def palette(theme: Theme) -> QPalette:
    """Give Qt the colours for what the style sheet does not paint: arrows, marks, cursors."""
    role = QPalette.ColorRole
    out = QPalette()
    for key, colour in (
        (role.Window, theme.window),
        (role.Base, theme.panel),
        (role.Button, theme.raised),
        (role.WindowText, theme.text),
        (role.Text, theme.text),
        (role.ButtonText, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.panel),
    ):
        out.setColor(key, QColor(colour))
    return out
