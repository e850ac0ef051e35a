"""The checks of a bundle, each a function that raises for the first thing wrong and yields what is left unproved."""
