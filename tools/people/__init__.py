"""Fits of people with a flexible spine to measured chests and heads."""
