"""What package managers, images and compilers tell of what is installed."""
