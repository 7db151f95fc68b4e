"""Everything between a file of puzzles and the stored answers: input, queue and solver.

    intake    files become a batch and its chunks
    queue     chunks are published, delivered, and recovered when lost
    attempt   one delivered chunk: leased, solved, its answers stored
    local     the private Redis and worker of `bullseye solve`, and its process pool
    formats   a file becomes puzzles; answers become judge output
    sudoku, covers, counting, set_cover, multiplicity, exact_cover, compiling   the solver
    symmetry  which sudokus are the same puzzle up to symmetry
    checking, proof, estimate   checks answers, proves them, and says how long a search takes

Read in this order: settings, options, stopwatch, outcome, garbage, lasting, solve, app, tasks,
semaphores, serve, wait; then errors and outages.
"""
