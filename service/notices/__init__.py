"""Notices of turns, ends and rounds by Web Push and mail: collected from the log, told outside quiet hours, once."""
