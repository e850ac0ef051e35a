"""The public log: orders, seals, publishes and audits events."""
