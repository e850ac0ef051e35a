"""How workers of queues behave: one queue per worker process, or a dying worker loses jobs unseen."""

MAINTENANCE_SECONDS = 45  # how soon the jobs of a dead worker are found again
WATCH_SECONDS = 10  # how often a worker looks after the job it runs
RESULT_SECONDS = 300
