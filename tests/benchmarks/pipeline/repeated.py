"""Large files, made of the puzzles of a small one."""

from pathlib import Path

#: repetitions of a file
REPEATS = 10


def repeated(file: Path, folder: Path, lines: int | None = None) -> Path:
    """Write the puzzles of `file` repeatedly: REPEATS times, or up to `lines` lines."""
    puzzles = file.read_text().split()
    copy = folder / f"repeated-{file.name}"
    count = len(puzzles)
    with copy.open("w") as out:
        for written in range(0, lines or REPEATS * count, count):
            left = (lines - written) if lines else count
            out.writelines([line + "\n" for line in puzzles[:left]])
    return copy
