"""The texts of the service in five languages."""
