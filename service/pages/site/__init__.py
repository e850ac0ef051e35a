"""Shared parts of pages: layout, forms, language, problems, API documentation."""
