"""The GPUs as NVML and CUDA tell of them: `devices` joins what the other files read."""
