"""Studies: what people say about games, in chapters, at events of a game and along variations of their own."""
