"""Secrets in the database: the table of sealed columns, and the rotation of the master key."""
