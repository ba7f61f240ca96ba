"""Make the dummies of the library, and fit them to their bench tests."""
