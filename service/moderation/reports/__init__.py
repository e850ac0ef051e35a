"""Reports by players to the administrators."""
