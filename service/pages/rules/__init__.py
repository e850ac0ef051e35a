"""The rules of each game as a page: contents, search, tables of pieces, rulings, examples."""
