"""The libraries of CUDA and of the driver: which copies there are, and who is given which.

`loader`, `loader_config`, `ldcache` and `elf` play the dynamic loader on paper; nothing is loaded.
"""
