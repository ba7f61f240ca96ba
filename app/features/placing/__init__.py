"""Placing by hand: tools of the scene that change the document."""
