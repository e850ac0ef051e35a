"""How wheels with compiled rules are built and checked."""
