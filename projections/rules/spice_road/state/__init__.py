"""The position of Spice Road: its fields, its document, its invariants."""
