"""Cold storage: finished streams whose events are in files, in a directory or bucket, and no longer in the database."""
