"""Headers for browsers: what pages may load, and what pages of other origins may ask."""
