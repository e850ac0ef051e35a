"""Pages of moderation: reports by players, and the administrators' page."""
