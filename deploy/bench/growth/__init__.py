"""What the service costs as it grows: a growing log, and a simulated day of many games."""
