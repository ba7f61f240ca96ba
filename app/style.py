"""What Qt is told about colours and sizes of widgets: the style sheet and the palette."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from app.look import Theme, mix_hex
from solver.base.places import resources

TEXT_PX = 13
"""Height of the usual text."""


def style_sheet(theme: Theme, text_px: int = TEXT_PX) -> str:
    """The window's style sheet: flat panels on an 8-pixel grid, one line between them."""
    t, px = theme, text_px
    tick, down, left, right = (
        (resources() / "signs" / f"{sign}_{'dark' if t.dark else 'light'}.png").as_posix()
        for sign in ("tick", "down", "left", "right")
    )
    field = t.raised if t.strong else mix_hex(t.panel, t.line, 0.35)
    edge, off = (t.line, t.window) if t.strong else ("transparent", t.line)
    return f"""
    QWidget {{ color: {t.text}; font-size: {px}px; }}
    QMainWindow, QWidget#page {{ background: {t.window}; }}
    QWidget#panel {{ background: {t.panel}; }}
    QMenuBar {{ background: {t.window}; padding: 2px 4px; }}
    QMenuBar::item {{ padding: 4px 8px; background: transparent; border-radius: 4px; }}
    QMenuBar::item:selected {{ background: {t.accent_soft}; }}
    QMenu {{ background: {t.raised}; border: 1px solid {t.line}; padding: 4px; menu-scrollable: 1; }}
    QMenu::item {{ padding: 3px 28px 3px 24px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {t.accent_soft}; }}
    QMenu::item:disabled {{ color: {t.muted}; }}
    QMenu::separator {{ height: 1px; background: {t.line}; margin: 3px 8px; }}
    QSplitter::handle {{ background: {t.line}; }}
    QSplitter::handle:horizontal {{ width: 1px; }}
    QSplitter::handle:vertical {{ height: 1px; }}
    QMainWindow::separator {{ background: {t.panel}; width: 2px; height: 2px; }}
    QMainWindow::separator:vertical {{ border-left: 1px solid {t.line}; }}
    QMainWindow::separator:horizontal {{ border-top: 1px solid {t.line}; }}
    QMainWindow::separator:hover {{ background: {t.accent_soft}; }}
    QDockWidget > QWidget {{ background: {t.panel}; }}
    QFrame#floating {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 8px; }}
    QLabel#heading {{ font-size: {round(1.3 * px)}px; font-weight: 600; }}
    QLabel#title {{ font-size: {2 * px}px; font-weight: 600; }}
    QLabel#muted, QLabel#section {{ color: {t.muted}; }}
    QLabel#section {{ font-weight: 600; }}
    QLineEdit {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 6px;
        padding: 5px 8px; selection-background-color: {t.accent}; }}
    QLineEdit:focus {{ border-color: {t.accent}; }}
    QLineEdit#value, QLineEdit#narrow {{ padding: 3px 6px; border-radius: 4px; border-color: {edge};
        background: {field}; }}
    QLineEdit#narrow {{ padding: 3px 2px; }}
    QLineEdit#value:hover, QLineEdit#narrow:hover {{ border-color: {t.line}; }}
    QLineEdit#value:focus, QLineEdit#narrow:focus {{ border-color: {t.accent}; background: {t.raised}; }}
    QLineEdit#value[refused="true"], *[refused="true"] {{ border-color: {t.error}; }}
    QPlainTextEdit {{ background: {field}; border: 1px solid {edge};
        border-radius: 4px; padding: 2px; }}
    QPlainTextEdit:focus {{ border-color: {t.accent}; background: {t.raised}; }}
    QLabel#error {{ color: {t.error}; font-size: {px - 1}px; }}
    QLabel#mark {{ color: {t.error}; font-size: {px - 1}px; }}
    QComboBox, QAbstractSpinBox {{ background: {t.raised}; border: 1px solid {t.line};
        border-radius: 6px; padding: 2px 8px; min-height: {round(1.7 * px)}px; }}
    QAbstractSpinBox {{ selection-background-color: {t.accent}; selection-color: {t.panel}; }}
    QComboBox {{ selection-background-color: {t.accent_soft}; selection-color: {t.text}; }}
    QComboBox:hover, QAbstractSpinBox:hover {{ border-color: {t.muted}; }}
    QComboBox:focus, QAbstractSpinBox:focus {{ border-color: {t.accent}; }}
    QComboBox:disabled, QAbstractSpinBox:disabled {{ color: {t.muted}; background: {t.window}; }}
    QAbstractSpinBox {{ max-height: {round(1.7 * px)}px; }}
    QComboBox::drop-down {{ border: none; width: 18px; }}
    QComboBox::down-arrow {{ image: url("{down}"); width: 10px; height: 10px; }}
    QComboBox QLineEdit {{ border: none; padding: 0; background: transparent; min-height: 0; }}
    QScrollArea#form, QScrollArea#form > QWidget, QScrollArea#form > QWidget > QWidget,
    QScrollArea#tall, QScrollArea#tall > QWidget, QScrollArea#tall > QWidget > QWidget {{
        background: {t.panel}; }}
    QLabel#key {{ font-weight: 600; }}
    QWidget#notice {{ background: {t.accent_soft}; border-bottom: 1px solid {t.line}; }}
    QPushButton#mend {{ padding: 1px 10px; border-radius: 4px; color: {t.accent}; }}
    QPushButton#link {{ background: transparent; border: none; color: {t.accent};
        text-align: left; padding: 3px 8px; border-radius: 4px; }}
    QPushButton#link[flush="true"] {{ padding-left: 0; }}
    QPushButton#link:hover, QPushButton#link:focus {{ background: {t.accent_soft}; }}
    QListWidget {{ background: {t.panel}; border: none; outline: none; }}
    QListWidget::item {{ padding: 5px 6px; border-radius: 4px; }}
    QListWidget::item:selected {{ background: {t.accent_soft}; color: {t.text}; }}
    QDialog {{ background: {t.panel}; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QTreeView {{ background: {t.panel}; border: 1px solid transparent; outline: none; }}
    QTreeView:focus {{ border-color: {t.accent}; }}
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
    QPushButton#primary, QMessageBox QPushButton:default {{ background: {t.accent};
        border-color: {t.accent}; color: {t.panel}; font-weight: 600; }}
    QPushButton#primary:hover, QPushButton#primary:focus, QMessageBox QPushButton:default:focus {{
        border-color: {t.text}; }}
    QPushButton#primary:disabled {{ background: {off}; border-color: {t.line}; color: {t.muted}; }}
    QPushButton#small {{ padding: 4px 12px; }}
    QPushButton#small:checked {{ background: {t.accent_soft}; border-color: {t.accent}; }}
    QPushButton#run {{ background: {t.accent}; border-color: {t.accent}; color: {t.panel};
        font-weight: 600; padding: 4px 16px; }}
    QPushButton#run:hover, QPushButton#run:focus {{ border-color: {t.text}; }}
    QPushButton#run:disabled {{ background: {off}; border-color: {t.line}; color: {t.muted}; }}
    QPushButton#mood {{ padding: 4px 8px; min-width: {round(6.4 * px)}px; border-radius: 0; margin: 0; }}
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
    QTabBar::tab:hover {{ color: {t.text}; }}
    QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
    QTabBar QToolButton {{ background: {t.window}; border: 1px solid transparent; padding: 0; }}
    QTabBar QToolButton:hover, QTabBar QToolButton:focus {{ border-color: {t.accent}; }}
    QTabBar QToolButton::left-arrow {{ image: url("{left}"); width: 10px; height: 10px; }}
    QTabBar QToolButton::right-arrow {{ image: url("{right}"); width: 10px; height: 10px; }}
    QComboBoxPrivateContainer {{ background: {t.raised}; border: 1px solid {t.line}; }}
    QComboBox QAbstractItemView {{ background: {t.raised}; border: none;
        selection-background-color: {t.accent_soft}; selection-color: {t.text}; }}
    QCheckBox {{ spacing: 8px; }}
    QCheckBox::indicator {{ width: 14px; height: 14px; border: 1px solid {t.muted};
        border-radius: 4px; background: {t.raised}; }}
    QCheckBox::indicator:hover, QCheckBox::indicator:focus {{ border-color: {t.accent}; }}
    QCheckBox::indicator:checked {{ background: {t.accent}; border-color: {t.accent};
        image: url("{tick}"); }}
    QCheckBox::indicator:disabled {{ border-color: {t.line}; background: {t.window}; }}
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
    QToolButton#help {{ background: transparent; border: 1px solid transparent; padding: 0; color: {t.muted};
        min-width: {round(1.4 * px)}px; max-width: {round(1.4 * px)}px; min-height: {round(1.4 * px)}px; }}
    QToolButton#help:hover {{ border-color: {t.line}; background: {t.raised}; color: {t.text}; }}
    QToolButton#quiet::menu-indicator {{ image: none; }}
    QToolButton#head {{ background: transparent; border: 1px solid transparent; padding: 2px 4px 2px 0;
        font-weight: 600; border-radius: 4px; }}
    QToolButton#head:checked {{ background: transparent; }}
    QToolButton#head:hover, QToolButton#head:focus {{ border-color: {t.line}; }}
    QToolButton:checked {{ background: {t.accent_soft}; }}
    QScrollBar {{ background: transparent; border: none; }}
    QLabel#remark {{ color: {t.warning}; padding: 0 12px 2px 12px; }}
    QScrollBar:vertical {{ width: 10px; }}
    QScrollBar:horizontal {{ height: 10px; }}
    QScrollBar::handle {{ background: {t.line}; border-radius: 4px; margin: 1px;
        min-height: 28px; min-width: 28px; }}
    QScrollBar::handle:hover {{ background: {t.muted}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    #picture_tip {{ background: {t.raised}; border: 1px solid {t.line}; }}
    QToolTip {{ background: {t.raised}; color: {t.text}; border: 1px solid {t.line};
        padding: 6px; }}
    """


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
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
    ):
        out.setColor(key, QColor(colour))
    return out
