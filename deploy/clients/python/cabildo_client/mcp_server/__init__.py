"""Tools for language models (Model Context Protocol); needs the extra `mcp`."""
