"""The keeper: runs the duties that are due, each led by one keeper."""
