"""Curves: quantities, pages, tests beside runs."""

from __future__ import annotations

TEST_TITLE = "Curve of a test"
CORRIDOR_TITLE = "Corridor: choose the lower limits; the column behind holds the upper ones"
NO_UPPER = "Behind the chosen column there is none with the upper limits."
TABLE_FILES = "Tables of numbers (*.csv *.txt *.tsv *.dat);;All files (*)"
MME_FILES = "ISO-MME tests (*.mme *.chn *.0* *.1* *.2* *.3*);;All files (*)"
WHICH_CHANNEL = "Channel"
DRAW_TIP = "Draw this channel in the active plot"
TEMPLATE_TITLE = "Keep this page of plots"
TEMPLATE_NAME = "Name"
KEEP = "Keep"
KEEP_TIP = "Keep the page, to be found in the list of pages"
NOTHING_PLOTTED = "There is nothing to keep: drag quantities into the plots first."
NOT_KEPT = "The page could not be kept: {why}."
PLOT_TITLE = "Save the curves"
PLOT_FILES = "Drawing (*.svg);;PDF (*.pdf);;Picture (*.png);;Numbers (*.csv);;Workbook (*.xlsx)"

# the panel
TIME = "Time"
BY_TIME = "time"
ACROSS = "Across: {what}"
RATED = "{curve} against {test}: {how}"
KEPT = "{curve} in {corridor}: {how}"

# plots
PAGE = "Page of plots"
FILTER = "Filter class"
OTHER_RUNS = "other runs"
OTHER_RUNS_TIP = "Draw the same curves of the other runs, dashed"
ACROSS_TIP = "What lies across in the active plot"
KEEP_PAGE = "Keep this page as a template…"
FORGET_PAGE = "Forget this template"
ANY_OTHER = "Any other: right click in the list of quantities"
PAGE_TIP = "Pages of plots that fit this model"
FILTER_TIP = "Filter of the active plot's curves (SAE J211)"
CURVE_TIP = "A click on a curve's name filters it by itself, or takes it out"
DRAW_ALSO = "Draw it also"
TAKE_OUT = "Take it out"
OWN_FILTER = "own filter"
SEVERAL_FILTERS = "several"
UNFILTERED = "unfiltered"
ADD_PLOT = "+ Plot"
ADD_PLOT_TIP = "Add an empty plot"
CLEAR = "Clear"
CLEAR_TIP = "Remove the curves of the active plot"
TEST = "Test"
TEST_TIP = "Curves of tests in the active plot"
TEST_CURVE = "Curve from a table (CSV)…"
TEST_CORRIDOR = "Tolerance corridor from a table (CSV)…"
TEST_CHANNEL = "Channel of an ISO-MME test…"
REMOVE_TESTS = "Remove the tests' curves and corridors"
SAVE = "Save…"
SAVE_TIP = "Save the curves as a picture or as numbers"
OTHER_UNIT = "{curve}: no curve of this plot is in its unit."
NOT_FORGOTTEN = "The template cannot be forgotten: {why}."
BAG_ON = "{bag} on {segment}"
"""What presses, and what it presses on."""
GROUPS: dict[str, str] = {
    "channels": "Recorded channels",
    "integrator": "Solver",
    "energy": "Energy",
    "harnesses": "Harnesses",
    "strap_points": "Points of straps",
    "airbag_contacts": "Airbags on segments",
}
PAGES: dict[str, str] = {
    "head": "Head",
    "chest": "Chest",
    "pelvis": "Pelvis",
    "motion": "Motion",
    "belts": "Belts",
    "airbag": "Airbag",
    "contacts": "Contacts",
    "energy": "Energy",
}
RATING = (
    "{found.whole:.2f} {found.grade} (corridor {found.corridor:.2f}, phase {found.phase:.2f}, "
    "magnitude {found.magnitude:.2f}, slope {found.slope:.2f}{when})"
)
LATE = ", {ms:.1f} ms late"
EARLY = ", {ms:.1f} ms early"

# measured
INSIDE_FOR = "inside for {share:.3g} % of the time, {out:.3g} {unit} out at {ms:.1f} ms"
NO_COMMON_TIME = "the curve and the corridor share no time"
INSIDE = "inside throughout"

# picker
QUANTITIES = "Quantities"
DRAW = "Draw"
LAY_ACROSS = "Lay across, in place of time"
SEARCH = "Search quantities"

# plot
EMPTY = (
    "Drag a quantity here, or an element from the outline, the inspector's heading or, with Ctrl, "
    "the scene; or choose a page above."
)
NOTHING_OF_IT = "Results hold nothing of what was dropped."
TIME_MS = "time (ms)"

# writing
NOTHING_DRAWN = "The plots show nothing yet: run the model, or drag a quantity into one."
CANNOT_WRITE = "'{file}' cannot be written: {why}."
PEAK = "peak {value} at {ms:.1f} ms"
