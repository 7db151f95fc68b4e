"""Random puzzles of every kind, solved and compared with independent solvers.

Read in this order: model, oracles, optimisers, grids, covers, families, judging, report.
`python -m tests.differential --cases 1000` prints a report.
"""
