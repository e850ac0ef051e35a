"""Puts single faults into the product and runs the tests of the area: `python -m tests.mutants AREA`."""
