"""Faults put into a copy of the program, one at a time, to see whether a test finds each."""
