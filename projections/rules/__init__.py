"""The rules of the games behind one protocol; a folder for each game."""

from projections.rules import compiled

compiled.install()
