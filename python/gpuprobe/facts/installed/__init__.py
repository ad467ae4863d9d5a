"""What is installed: Python packages, conda's, the system's, and the toolkit; none is started."""
