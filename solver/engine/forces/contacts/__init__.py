"""Allowed contacts: where surfaces touch, and how they press (sections 7.1, 7.2, 7.5)."""
