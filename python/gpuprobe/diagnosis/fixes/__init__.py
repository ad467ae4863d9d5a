"""Repairs that several rules advise, in the words and commands of the place.

Each is the shortest one that mends the fault and no more: packages are reinstalled by name, never
purged by a pattern, and from administrator's rights up the way back is told.
"""
