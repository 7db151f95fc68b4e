"""`--verify`: answers compared with the input's solutions.

Read in this order: given_solutions (records and compares), verdict (judges one).
"""
