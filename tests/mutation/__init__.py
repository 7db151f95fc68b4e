"""Mutation tests of the solver: small faults in its code, each of which some test should notice.

Read in this order: mutants, trial. `python -m tests.mutation` prints a report.
"""
