"""What runs between gunicorn and the application."""
