"""Studies as people write and read them: use cases, without Flask."""
