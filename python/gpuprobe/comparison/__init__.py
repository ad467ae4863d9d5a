"""COMPARE: what differs between two machines, or one machine on two days."""
