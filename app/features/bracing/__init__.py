"""Let bodies hold their posture."""
