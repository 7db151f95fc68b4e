"""What `bullseye solve` runs: a private Redis and worker, or a process pool without Redis.

Read in this order: solve, backend, private_worker, redis_server, process_group, waiting,
pool.
"""
