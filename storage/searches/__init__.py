"""Searches that last: each is cut into parts, which are delivered like chunks of puzzles.

Every transaction that changes a search or its parts locks the row of the search first.

Read in this order: turns (a puzzle is cut, and a turn of a part is stored), parts, totals (of all
parts), candidates (the best solutions so far), ending (the answer is written; or the search is
continued).
"""
