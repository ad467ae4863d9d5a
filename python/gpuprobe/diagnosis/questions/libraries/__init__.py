"""What is asked of CUDA's libraries: what is there, which copy wins, why is a file not found.

What a framework's build takes from the system is asked here, too; cuDNN has a room of its own.
"""
