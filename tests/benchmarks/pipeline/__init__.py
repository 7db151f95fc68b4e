"""Time, CPU and memory of the whole pipeline, from `submit` to the last stored answer.

Read in this order: processes, bare, stages, tables.
"""
