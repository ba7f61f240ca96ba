"""Panels beside the scene: outline, inspector, problems, runs, injury figures, timeline, run control."""

from __future__ import annotations

DRAWER: dict[str, str] = {
    "problems": "Problems",
    "editor": "Editor",
    "plots": "Plots",
    "injury": "Injury",
    "runs": "Runs",
    "compare": "Compare",
    "whatif": "What-if",
}
"""Titles of the tabs below the scene."""

PANELS = "Panels"
DRAWER_TIPS: dict[str, str] = {
    "problems": "What the checks have found, with a way there and a mend where there is one",
    "editor": "Curves, laws, pulses, contacts, contours and outputs, drawn and as tables",
    "plots": "Curves of the current run, tied to the timeline",
    "injury": "Injury figures of the current run, with limits and risks",
    "runs": "Every run with its status and main numbers",
    "compare": "Two or more runs side by side: figures, fields that differ, peaks",
    "whatif": "Sliders for numbers of the model; a drag solves it again",
}

# injury figures
INJURY_COLUMNS = (
    "Figure",
    "Value",
    "Before",
    "Limit",
    "Of the limit",
    "Risk",
    "Window",
    "Filter",
    "From",
)

# runs
RUN_MODEL = "Model"
RUN_FIRST = ("Run", "Status")
RUN_LAST = ("Simulated", "Took", "Steps", "Energy error", RUN_MODEL, "When", "Note")
"""Columns before and behind those of the main figures."""
RUN_STATUS: dict[str, str] = {
    "waits": "waits",
    "running": "running",
    "completed": "completed",
    "cancelled": "cancelled",
    "failed": "failed",
}

# problems
SEVERITY: dict[str, str] = {"error": "Error", "warning": "Warning", "note": "Note"}
ONE_OF_SEVERITY: dict[str, str] = {"error": "error", "warning": "warning", "note": "note"}
SEVERITIES: dict[str, str] = {"error": "errors", "warning": "warnings", "note": "notes"}
DRAWER_COUNT = "{title}  {number}"
NO_PROBLEMS = "Nothing stands in the way of a run."
SHOW_NOTES = "Show {what}"
HIDE_NOTES = "Hide {what}"
PROBLEM_COUNT = "Problems: {counts}"
INSPECTOR = "Inspector"
MORE, LESS = "more", "less"
"""Links that unfold and fold a long note."""
SHARE = "{percent:.0f} %"
"""A figure as a part of its limit; the column says of what."""
SPAN = "{first:.1f} to {last:.1f} ms"
INSTANT = "{ms:.1f} ms"
CFC = "CFC {cfc}"
AT_JOINT = "{what} at {joint}"
REAL_TIME = "real time"

# element_tree
OUTLINE = "Outline"

# problems
PROBLEMS = "Problems"

# run_control
MODEL = "Model"
STUDY = "Study"
PROGRESS = "Progress of the run"
HOLD = "Hold"
CANCEL = "Cancel"
LIVE = "Live"
WHICH_RUN = "Which run"
RUN = "▶  Run"
WHICH_RUN_TIP = "Which of the model's runs is solved"
COMPILING = "Compiling, only once: {seconds:.0f} s"
COMPILING_TIP = "The solver is compiled for this machine. It takes a minute or two and is kept."
PREPARING_RUN = "Preparing …"
MS_OF = "{reached:.0f} of {whole:.0f} ms"
GO_ON = "Go on"

# timeline
TIMELINE = "Timeline"
LOOP = "Begin again at the end"
NO_RUN_YET = "No run yet. F5 solves the model."
NO_RUN_SHORT = "No run yet"
RUN_BEGINS = "The run begins …"
SPEED_TIP = "How fast time runs"
SPEED = "Playback speed"

# injury
INJURY = "Injury figures"
LIMIT_SOURCE = "Limit {limit:g} {unit}: {source}"
RISK_SOURCE = "Risk {level}: {source}"
NO_INJURY = "Press F5 to run the model; its injury figures stand here."
NO_BODY = "No segment of this model is known as a part of a body, and it asks for no figure."

# runs
PREPARING = "preparing the solver, once"
RUNS = "Runs"
NO_RUNS = "No runs yet. Press F5 to run the model."
RENAME_RUN = "Rename"
NOTE_RUN = "Write a note"
RESTORE_RUN = "Take the model back from this run"
REMOVE_RUN = "Delete"
REMOVE_RUNS = "Delete {count} runs"
TAKE_OFF_RUN = "Take from the list; the file stays"
CHANGED_SINCE = "changed since"
AS_NOW = "as it is now"
CANCEL_RUN = "Cancel this run"
NOT_BESIDE = "Draw no longer over the current run"
BESIDE = "Draw faintly over the current run"
OWN_VIEW = "Show beside the current run, in a view of its own"
NO_OWN_VIEW = "Close the view of this run"
SAVE_RUN = "Save results as…"
RUNNING = "running, {percent:.0f} %"
PAUSED = "paused at {percent:.0f} %"
REACHED = "{ms:g} ms"

# checker
CHECKS_FAILED = "The checks failed: {kind}: {failure}"
PLEASE_REPORT = "Please report this."
FOLD_TIP = "Notes say what is usual; they stand in nobody's way"
