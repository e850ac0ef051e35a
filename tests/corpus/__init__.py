"""Games as released versions of this program played them, frozen; every later version plays them the same."""
