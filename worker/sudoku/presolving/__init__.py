"""What the clues of a grid imply. Read in this order: singles, locked, presolve."""
