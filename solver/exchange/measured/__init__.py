"""Tests that were measured: ISO-MME, NHTSA's files, C3D, what ATB printed, tables of OpenSim, tables with headings."""
