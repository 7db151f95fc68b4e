"""What `bullseye solve` runs: a private Redis and worker, or a process pool without Redis.

A small batch is solved in the process of the command; the others start only if it lasts.

Read in this order: solve, in_process, backend, private_worker, redis_server, process_group,
waiting, pool.
"""
