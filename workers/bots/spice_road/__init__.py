"""The evaluation of Century: Spice Road: the worth of a caravan and a hand, and the ranking of actions."""
