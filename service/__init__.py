"""How people and programs reach Cabildo: use cases that know no Flask, and the routes and pages that call them."""
