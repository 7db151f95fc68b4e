"""`bullseye solve`: a private Redis and Celery worker, or a process pool where there is no Redis.

Read in this order: solve, solvers, private, pool, complaints.
"""
