"""The facts of a puzzle straight from their definitions, with sets: slow, and sharing nothing."""

from itertools import combinations, product

from worker.sudoku.symbols import BOXES, EMPTY, SIDES, VALUES

#: the candidates of each cell
Board = dict[int, set[str]]


class Contradiction(Exception):
    """A cell has no candidate, or a unit no place for a symbol."""


def units(side: int) -> list[list[int]]:
    """The cells of each row, column and box."""
    height, width = BOXES[side]
    cells = range(side * side)
    keys = [
        lambda cell: (0, cell // side),
        lambda cell: (1, cell % side),
        lambda cell: (2, cell // side // height, cell % side // width),
    ]
    found: dict[tuple[int, ...], list[int]] = {}
    for key, cell in product(keys, cells):
        found.setdefault(key(cell), []).append(cell)
    return list(found.values())


class Puzzle:
    """A puzzle, its units and its symbols."""

    def __init__(self, text: str) -> None:
        self.text, self.side = text, SIDES[len(text)]
        self.symbols, self.units = VALUES[: self.side], units(self.side)
        self.peers = [
            {other for unit in self.units if cell in unit for other in unit} - {cell}
            for cell in range(len(text))
        ]

    def solutions(self, limit: int, excluded: tuple[int, str] | None = None) -> list[str]:
        """Solutions, found by trying symbols in the cell with the fewest that clash with none."""
        if any(
            clue != EMPTY and self.text[peer] == clue
            for cell, clue in enumerate(self.text)
            for peer in self.peers[cell]
        ):
            return []
        found: list[str] = []
        self._fill(list(self.text), limit, excluded, found)
        return found

    def _fill(
        self, grid: list[str], limit: int, excluded: tuple[int, str] | None, found: list[str]
    ) -> None:
        best: tuple[int, int, set[str]] | None = None
        for cell, symbol in enumerate(grid):
            if symbol == EMPTY:
                left = set(self.symbols) - {grid[peer] for peer in self.peers[cell]}
                left -= {excluded[1]} if excluded and excluded[0] == cell else set()
                best = min(filter(None, (best, (len(left), cell, left))))
        if best is None:
            found.append("".join(grid))
            return
        for symbol in sorted(best[2]):
            grid[best[1]] = symbol
            self._fill(grid, limit, excluded, found)
            if len(found) == limit:
                break
        grid[best[1]] = EMPTY

    def redundant(self) -> list[str]:
        """The clues without which no solution differs in their cell."""
        found = []
        for cell, clue in enumerate(self.text):
            if clue != EMPTY:
                without = Puzzle(self.text[:cell] + EMPTY + self.text[cell + 1 :])
                if not without.solutions(1, excluded=(cell, clue)):
                    found.append(f"r{cell // self.side + 1}c{cell % self.side + 1}")
        return found

    def board(self) -> Board:
        """All candidates of empty cells, and the clues."""
        return {
            cell: set(self.symbols) if clue == EMPTY else {clue}
            for cell, clue in enumerate(self.text)
        }

    def after_singles(self, board: Board) -> Board:
        """The board at which no single is left; raises Contradiction."""
        board = {cell: set(candidates) for cell, candidates in board.items()}
        is_changed = True
        while is_changed:
            before = {cell: set(candidates) for cell, candidates in board.items()}
            for cell, candidates in board.items():
                if len(candidates) == 1:
                    for peer in self.peers[cell]:
                        board[peer] -= candidates
            for unit, symbol in product(self.units, self.symbols):
                places = [cell for cell in unit if symbol in board[cell]]
                if len(places) == 1:
                    board[places[0]] &= {symbol}
                if not places:
                    raise Contradiction
            if not all(board.values()):
                raise Contradiction
            is_changed = board != before
        return board

    def after_trials(self, board: Board, depth: int) -> Board:
        """The board at which no candidate fails at this depth; raises Contradiction."""
        board = self.after_singles(board)
        is_changed = depth > 0
        while is_changed:
            is_changed = False
            for cell in board:
                for symbol in sorted(board[cell]):
                    if len(board[cell]) > 1 and symbol in board[cell]:
                        try:
                            self.after_trials({**board, cell: {symbol}}, depth - 1)
                        except Contradiction:
                            is_changed = True
                            board = self.after_singles({**board, cell: board[cell] - {symbol}})
        return board

    def depth(self, most: int) -> int | None:
        """The least depth at which trials solve the puzzle or fail; None if it exceeds `most`."""
        for depth in range(most + 1):
            try:
                board = self.after_trials(self.board(), depth)
            except Contradiction:
                return depth
            if all(len(candidates) == 1 for candidates in board.values()):
                return depth
        return None

    def backdoor(self, solution: str) -> int:
        """The fewest cells of the solution with which singles solve the puzzle; 4: more than 3."""
        for size in range(4):
            for cells in combinations(range(len(self.text)), size):
                board = self.board() | {cell: {solution[cell]} for cell in cells}
                if all(len(some) == 1 for some in self.after_singles(board).values()):
                    return size
        return 4
