"""Copies of studies: export, import, clone, reports."""
