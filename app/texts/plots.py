"""Curves: quantities, pages, tests beside runs."""

from __future__ import annotations

TEST_TITLE = "Curve of a test"
CORRIDOR_TITLE = "Corridor: choose the lower limits; the column behind holds the upper ones"
NO_UPPER = "Behind the chosen column there is none with the upper limits."
TABLE_FILES = "Tables of numbers (*.csv *.txt *.tsv *.dat);;All files (*)"
MME_FILES = "ISO-MME tests (*.mme *.chn *.0* *.1* *.2* *.3*);;All files (*)"
WHICH_CHANNEL = "Which channel?"
TEMPLATE_TITLE = "Keep this page of plots"
TEMPLATE_NAME = "Name of the template"
NOTHING_PLOTTED = "There is nothing to keep: drag quantities into the plots first."
NOT_KEPT = "The page could not be kept: {why}."
PLOT_TITLE = "Save the curves"
PLOT_FILES = "Drawing (*.svg);;PDF (*.pdf);;Picture (*.png);;Numbers (*.csv);;Workbook (*.xlsx)"
