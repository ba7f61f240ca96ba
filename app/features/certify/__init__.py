"""Certify dummies: their bench tests run, judged and seen."""
