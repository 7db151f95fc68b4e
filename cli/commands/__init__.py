"""One file per command, imported when the command is called.

A command imports what it needs inside its function, and types under TYPE_CHECKING, so that help
and completion load neither database, queue nor solver.

Read in this order: solve, estimate, canon, submit, worker, status, workers, results, query, show,
prove, check, stats, serve, retry, pause, resume, priority, cancel, export, archive, delete, prune,
metrics, doctor.
"""
