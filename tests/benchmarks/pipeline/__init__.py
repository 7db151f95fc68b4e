"""The whole pipeline, from `submit` to the last stored answer.

How much time, CPU and memory it takes, and how long small batches wait.

Read in this order: repeated, processes, bare, stages, tables, fairness.
"""
