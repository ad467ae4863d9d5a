"""COLLECT: what is true of a machine, each fact with the place where it was read.

Records that stay inside this package are named tuples, because making a dataclass takes eight times
as long, and each start of the program makes all of them.
"""
