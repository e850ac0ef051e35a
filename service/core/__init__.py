"""Core of all commands: repository, unit of work, command handler."""
