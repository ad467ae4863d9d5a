"""The hands: products and convolutions of arrays, and proofs that a result is right.

They compute on a GPU, by cuBLAS, cuDNN or kernels of our own, and on the CPU by plain C: the
reference that everything else is measured by. NumPy and the C core are fetched at the first call.
"""
