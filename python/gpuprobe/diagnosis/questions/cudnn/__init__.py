"""What is asked of cuDNN: which releases are there, and which fault its user met.

Other libraries of CUDA are asked after in `libraries`.
"""
