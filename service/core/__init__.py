"""The core that every command goes through: repository, unit of work, command handler."""
