"""What is asked of the GPUs: is there one, which, who computes there, what holds it down.

`known` has them with their compute capability; whether CUDA may see them is asked in `visible`.
"""
