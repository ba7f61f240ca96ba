"""Open the window or run a command: `python -m manikin --help`."""

from app.front_door import main

if __name__ == "__main__":
    raise SystemExit(main())
