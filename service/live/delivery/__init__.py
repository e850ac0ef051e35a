"""Delivers the items of streams to all who follow them: channels, their followers, the loop that writes."""
