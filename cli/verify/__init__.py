"""`--verify` and `--expect`: answers compared with the input's solutions and the user's claim.

Read in this order: given_solutions (records and compares), verdict (judges one), expect.
"""
