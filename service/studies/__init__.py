"""Use cases of studies: reads, edits and copies them, without Flask."""
