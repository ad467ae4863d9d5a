"""What tools print of GPUs, the driver, the bus and the kernel."""
