"""Tables of measurements, by `python -m tests.benchmarks`; docs/benchmarks.md explains them.

Read in this order: race, collections, ours, textbook, sudoku, covers, peers, targets,
target_weights, estimates, start, pipeline, simulation, store.
"""
