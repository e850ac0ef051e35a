"""The commands for archives of finished months."""
