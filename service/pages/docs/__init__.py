"""The documentation: guides, the reference of the API, formats, search."""
