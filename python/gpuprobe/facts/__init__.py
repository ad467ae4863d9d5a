"""COLLECT: what is true of a machine, each fact with the place where it was read."""
