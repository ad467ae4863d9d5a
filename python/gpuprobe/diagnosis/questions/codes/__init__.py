"""What is asked of the driver's codes: how one is to be read that no rule of its own explains."""
