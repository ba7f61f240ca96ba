"""The bench: certification tests of dummies, their scenes, figures and verdicts."""
