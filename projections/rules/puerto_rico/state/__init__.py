"""The position of Puerto Rico: its fields, its document, its invariants."""
