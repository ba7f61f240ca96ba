"""Laws of force on single coordinates."""
