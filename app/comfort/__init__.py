"""What makes the window one's own and easy to learn: preferences, guide, tour."""
