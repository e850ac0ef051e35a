"""Settings of queue workers. A worker takes one queue: RQ finds the lost job of a dead worker by its queue."""

MAINTENANCE_SECONDS = 45  # interval of the search for jobs of dead workers
WATCH_SECONDS = 10  # interval at which a worker checks the job it runs
RESULT_SECONDS = 300
HUNG_SECONDS = 5  # after the time of a job, after which its worker ends itself
