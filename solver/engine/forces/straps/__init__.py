"""Harness belts: webbing without mass over points of several segments, with slip, and their devices."""
