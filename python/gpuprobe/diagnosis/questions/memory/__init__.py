"""What is asked where memory is wanting: who holds it, and was there enough?

`faults` gives the one answer that three rules share; `kinds` names the three.
"""
