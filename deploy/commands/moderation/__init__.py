"""Further commands of `cabildo admin`."""
