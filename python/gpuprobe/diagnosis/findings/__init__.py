"""What rules find in what programs said: imported only where something was said."""
