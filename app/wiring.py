"""Connect the parts of a window: who says what, and who listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.plots.carrying import Handle, carry

if TYPE_CHECKING:
    from app.window import MainWindow


def wire(window: MainWindow) -> None:
    """Connect the signals of all parts of a window."""
    panels, document, study, compare = (
        window.panels, window.document, window.study, window.compare,
    )  # fmt: skip
    window.welcome.open_asked.connect(window.files.ask_for_file)
    window.welcome.sample_asked.connect(window.open_file)
    window.welcome.new_asked.connect(window.files.new)
    window.welcome.tour_asked.connect(lambda: window.tour.begin())
    window.unreadable.open_asked.connect(window.files.ask_for_file)
    window.unreadable.back_asked.connect(window.back)
    document.opened.connect(panels.show_document)
    document.changed.connect(panels.show_change)
    document.selected.connect(panels.show_selection)
    document.checked.connect(panels.show_problems)
    document.checked.connect(window.desk.forget_obstacle)
    document.named.connect(window.show_name)
    document.said.connect(window.say)
    window.outline.chosen.connect(document.select_all)
    window.outline.renamed.connect(window.editing.rename)
    window.outline.dropped.connect(window.editing.drop)
    ids = ("edit.cut", "edit.copy", "edit.paste", "edit.duplicate", "", "edit.rename", "edit.delete", "", "view.selected", "insert")  # fmt: skip
    window.outline.menu = window.menus.context(*ids)
    window.outline.add.setMenu(window.menus.menu("insert"))
    for panel in (window.inspector, window.problems):
        panel.chosen.connect(document.select)
    for panel in (window.inspector, window.drawer):
        panel.help_asked.connect(window.help.here)
    window.problems.mend_asked.connect(document.mend)
    window.viewport.clicked.connect(window.choose)
    window.viewport.carried.connect(lambda element: carry(window.viewport, [element]))
    Handle(window.inspector.heading, lambda: document.chosen)
    window.viewport.hinted.connect(window.status.explain_tool)
    window.timeline.chosen.connect(document.select)
    window.editors.follow(study)
    study.run_shown.connect(panels.show_run)
    study.switched.connect(lambda _: panels.show_run())
    study.refused.connect(window.desk.tell_obstacle)
    study.began.connect(panels.show_curves)
    study.failed.connect(window.desk.tell_failed)
    study.spoke.connect(window.say)
    study.warned.connect(window.notice.say)
    window.plots.save_asked.connect(window.plots_desk.ask_for_plot)
    window.plots.test_asked.connect(window.plots_desk.ask_for_test)
    window.plots.template_asked.connect(window.plots_desk.ask_for_template)
    window.injury.window_asked.connect(window.plots.show_figure)
    window.injury.window_asked.connect(lambda _: window.drawer.open("plots"))
    window.runs.save_asked.connect(window.desk.ask_to_save)
    window.runs.restore_asked.connect(window.desk.restore)
    window.runs.delete_asked.connect(window.desk.delete)
    window.runs.beside_asked.connect(window.side_by_side.ask)
    window.side_by_side.changed.connect(lambda: window.runs.show_beside(window.side_by_side.record))
    window.keeping.said.connect(window.notice.say)
    window.runs.report_asked.connect(window.desk.ask_for_report)
    window.inspector.hands.pin.connect(panels.pin)
    window.whatif.said.connect(window.say)
    window.whatif.field_asked.connect(document.select)
    study.compared_changed.connect(lambda: study.compared and window.drawer.open("compare"))
    compare.figure_asked.connect(window.plots.show_figure)
    compare.quantity_asked.connect(panels.plot)
    compare.field_asked.connect(document.select)
    compare.report_asked.connect(lambda: window.desk.ask_for_report(study.compared))
    compare.film_asked.connect(window.desk.film)
    compare.said.connect(window.say)
