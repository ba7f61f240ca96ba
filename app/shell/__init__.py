"""The window itself: menus, palette, status line, notices, layout and preferences; it knows features by one list."""
