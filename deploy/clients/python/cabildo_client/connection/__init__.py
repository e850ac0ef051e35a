"""Requests and streams: how they are repeated, and who runs them: threads or asyncio."""
