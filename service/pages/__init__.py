"""What people see in a browser."""
