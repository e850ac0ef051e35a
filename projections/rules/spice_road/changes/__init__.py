"""Changes of the position: one small function per fact. They know no rules and draw nothing."""
