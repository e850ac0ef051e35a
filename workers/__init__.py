"""Background processes: jobs for bots and analyses, and the keeper with its duties (a row each in duties.py)."""
