"""What loaders, libraries and shells say of a failure."""
