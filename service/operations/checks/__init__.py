"""Named checks of the service's health, as `/readyz` and `cabildo status` show them."""
