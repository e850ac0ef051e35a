"""Read models that follow the log, and the machinery that keeps them up to date."""
