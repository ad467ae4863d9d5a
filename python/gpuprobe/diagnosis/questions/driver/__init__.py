"""What is asked of the driver: is it there, how old is it, whom does it serve, do its parts fit?

`state` is what nearly every rule asks first; the others judge by what was read or said.
"""
