"""What programs did, with which settings, and what they had no room for."""
