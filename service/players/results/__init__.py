"""Results of players: by game and seat, against one another, and the time they take."""
