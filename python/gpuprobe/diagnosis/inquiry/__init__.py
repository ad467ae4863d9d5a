"""What to ask next where nothing could be concluded: one command, and what its answers mean."""
