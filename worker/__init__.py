"""From a batch in the database to its answers: Celery workers that run Dancing Links.

    intake    files become a batch and its chunks
    queue     chunks travel through Redis, are attempted, and are recovered when lost
    local     the private Redis and worker behind `bullseye solve`
    formats   a file becomes puzzles, and answers become a judge's output
    sudoku, covers, exact_cover   the solver

Read in this order: settings, options, outcome, solve, app, tasks.
"""
