"""Lists of games that are kept for all visitors."""
