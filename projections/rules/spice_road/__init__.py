"""Century: Spice Road, 2 to 5 players; nothing outside this folder knows its rules."""
