"""Reads puzzles from files, lazily and with the line of each error; writes answers for judges.

Read in this order: errors, names, entry, extras, layout, variants, source; then the folders in the
order in which an input passes them: files, detection, readers; then svg.
"""
