"""The event store: appends and reads events, in PostgreSQL or in memory."""
