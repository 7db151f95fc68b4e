"""The checks of `bullseye doctor`.

Read in this order: finding (the result of a check), run (all checks), database_checks,
deep_checks, redis_checks.
"""
