"""Places for files of the log: a directory, or a bucket of an object store."""
