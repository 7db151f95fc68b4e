"""Everything between a file of puzzles and the stored answers: input, queue and solver.

    intake    files become a batch and its chunks
    queue     chunks are published, attempted, and recovered when lost
    local     the private Redis and worker of `bullseye solve`
    formats   a file becomes puzzles; answers become judge output
    sudoku, covers, set_cover, exact_cover, compiling   the solver

Read in this order: settings, options, stopwatch, outcome, turn, solve, app, tasks, serve, wait;
then errors and release.
"""
