"""What Sphinx is told of the site; `python -m tools.site` runs it."""

from __future__ import annotations

import tomllib
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Manikin"
author = "The Manikin authors"
version = release = _PROJECT["version"]
project_copyright = "The Manikin authors, Apache License 2.0"
language = "en"

extensions = ["myst_nb", "sphinx_design", "sphinx_copybutton"]
nitpicky = True
# what the pages hold is Markdown that the program shows as well: only pages of the site have fences with colons
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# a fence without a language is what one types or reads in a terminal
highlight_language = "text"
myst_highlight_code_blocks = True
# notebooks are kept without what they gave, and run while the site is built
nb_execution_mode = "cache"
nb_execution_timeout = 600
nb_execution_raise_on_error = True
nb_execution_show_tb = True

html_theme = "furo"
html_title = f"Manikin {version}"
html_static_path = ["style"]
# movies, which Sphinx would not carry along
html_extra_path = [str(_ROOT / "build" / "site" / "beside")]
html_css_files = ["manikin.css"]
html_copy_source = False
html_show_sourcelink = False
# nothing of the site is fetched from elsewhere: it is read without a network as well
mathjax_path = "none"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d5f8a", "color-brand-content": "#1d5f8a"},
    "dark_css_variables": {"color-brand-primary": "#7fb8dc", "color-brand-content": "#7fb8dc"},
    "navigation_with_keys": False,
}
