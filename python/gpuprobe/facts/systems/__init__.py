"""What only one kind of system has: Windows, WSL, macOS, NVIDIA's boards, guests, containers."""
