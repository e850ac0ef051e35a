"""Spice Road by the rules, example by example."""
