"""Properties at the place where a widget is made."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from app.with_properties import with_properties

pytestmark = pytest.mark.window


@pytest.mark.usefixtures("qapp")
def test_properties_are_set_and_a_name_that_is_none_is_refused() -> None:
    label = with_properties(QLabel("words"), objectName="muted", wordWrap=True)
    assert (label.text(), label.objectName(), label.wordWrap()) == ("words", "muted", True)
    assert not with_properties(QPushButton("do"), enabled=False).isEnabled()
    with pytest.raises(AttributeError, match="QLabel has no property 'wordwrap'"):
        with_properties(QLabel(), wordwrap=True)
