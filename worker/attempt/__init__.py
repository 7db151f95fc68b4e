"""One attempt at a chunk or a part of a search, for every runner: leased, solved, stored.

It knows neither Celery nor Redis: the runner delivers the text of the chunk, and may pass on news
of better scores.

Read in this order: chunk, solver, isolation (a process that may die); then how one search
is divided: part, dividing; then what both use: context.
"""
