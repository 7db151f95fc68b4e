"""One puzzle drawn for people.

Read in this order: grid (a grid as text), puzzle (everything that `bullseye show` prints), svg (a
picture).
"""
