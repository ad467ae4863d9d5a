"""What somebody wrote: forms, summaries, sentences."""
