"""What each fact changes: one small function per fact. They know no rules and draw nothing."""
