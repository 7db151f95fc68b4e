"""What `bullseye solve` runs: a private Redis and worker, or a process pool without Redis.

The process of the command solves until these are ready; a small batch needs none of them.

Read in this order: solve, backend, process_group, pool.
"""
