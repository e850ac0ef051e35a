"""How to play Century: Spice Road sensibly: what a caravan and a hand are worth, and each action in the light of it."""
