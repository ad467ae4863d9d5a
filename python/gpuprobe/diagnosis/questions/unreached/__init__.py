"""Why the program of a pasted text does not reach the driver, where it ought to.

`first_cause` tries the causes one after the other; the files beside it hold them by the place of
the fault: the host, its module, a container, WSL, a node of a cluster, a variable that hides.
"""
