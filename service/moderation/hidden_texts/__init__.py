"""Free texts that administrators hide from readers."""
