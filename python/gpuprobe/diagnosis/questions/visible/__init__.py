"""What is asked of CUDA_VISIBLE_DEVICES: what a value leaves, who set it, was it set in time?"""
