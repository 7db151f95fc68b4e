"""The text form of a grid: one symbol a cell, row by row."""

#: symbol of an empty cell
EMPTY = "."
#: symbols of the values 1 to 25; a grid of side n uses the first n
VALUES = "123456789ABCDEFGHIJKLMNOP"
#: symbols of the values 0 (an empty cell) to 25
SYMBOLS = EMPTY + VALUES
#: side of a grid by its number of cells: 4x4, 9x9, 16x16 and 25x25 can be solved
SIDES = {16: 4, 81: 9, 256: 16, 625: 25}
