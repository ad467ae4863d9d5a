"""NVIDIA's module in the kernel: loaded, built, signed, complained of; and its device files."""
