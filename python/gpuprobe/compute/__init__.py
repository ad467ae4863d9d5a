"""The hands: products and convolutions of arrays, and proofs that a result is right.

In this release they compute on the CPU, by plain C: the reference that everything else is measured
by. NumPy and the C core are fetched at the first call.
"""
