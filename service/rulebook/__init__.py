"""The rules for readers: pieces and what they do, paragraphs and their addresses, worked examples."""
