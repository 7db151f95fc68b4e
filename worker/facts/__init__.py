"""What no symmetry changes of a sudoku: redundant clues, singles, depth of trials, backdoor.

Read in this order: singles, trials, backdoors, survey, exchanges, clues,
facts; README.md explains the law.
"""
