"""What can be wrong with a puzzle."""


class PuzzleError(Exception):
    """Something is no puzzle."""
