"""Widgets of every day: sheets for dialogs, splits, buttons for help."""
