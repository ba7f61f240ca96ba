"""Airbags: their gas, their shape, their body, and what they press on (section 7.4)."""
