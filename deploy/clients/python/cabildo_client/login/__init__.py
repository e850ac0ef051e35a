"""Login of the command line: the player allows it on a page of the service; later commands find the token."""
