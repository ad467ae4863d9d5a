"""What is asked of packages and their installers: what is installed, mixed, or to be had at all."""
