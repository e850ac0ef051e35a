"""Pages for spectators: what is on now, widgets for other sites, share pictures."""
