"""The whole pipeline, from `submit` to the last stored answer.

How much time, CPU and memory it takes, how long small batches wait, and what latency costs.

Read in this order: repeated, processes, bare, stages, tables, fairness, latency, remote.
"""
