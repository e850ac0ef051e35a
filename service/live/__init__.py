"""Live streams: pub/sub, the cache of newest events, a source for each thing that is followed."""
