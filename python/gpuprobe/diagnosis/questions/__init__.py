"""What several rules ask of the facts: where we are, what is installed, what a program said.

Their records are named tuples: each start of the doctor makes all of them, and a frozen
dataclass takes five times as long to make.
"""
