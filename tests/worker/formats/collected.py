"""Files of two grids as people have them, made here: what each contains, and what it must give."""

import bz2
import gzip
import io
import json
import lzma
import re
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import feather, ipc, parquet

ONE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TWO = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
BOTH = (ONE, TWO)
#: name, content, and the grids that it gives, or the reason why it gives none
File = tuple[str, str | bytes, tuple[str, ...] | str]


def zeros(grid: str) -> str:
    return grid.replace(".", "0")


def rows(grid: str) -> list[str]:
    return [grid[at : at + 9] for at in range(0, 81, 9)]


def apart(write: Callable[[str], str]) -> str:
    """Return both grids, with an empty line between them."""
    return "\n\n".join(map(write, BOTH)) + "\n"


def framed(grid: str, rule: str = "---+---+---", before: str = "", after: str = "") -> str:
    lines = [f"{before}{row[:3]}|{row[3:6]}|{row[6:]}{after}" for row in rows(grid)]
    return f"\n{rule}\n".join("\n".join(lines[at : at + 3]) for at in (0, 3, 6))


def lists(grid: str) -> list[list[int]]:
    return [list(map(int, row)) for row in rows(zeros(grid))]


LISTS = list(map(lists, BOTH))
ARRAY = np.array(LISTS, np.int8)
FRAME = pd.DataFrame({"puzzle": BOTH, "rating": [1.5, 2.5]})


def texts() -> Iterator[File]:
    """Yield plain texts."""
    for empty in ".0_*-?xX":
        yield f"lines with {empty}", "\n".join(BOTH).replace(".", empty), BOTH
        in_rows = apart(lambda grid: "\n".join(rows(grid)))
        yield f"rows with {empty}", in_rows.replace(".", empty), BOTH
        yield f"boxes with {empty}", apart(framed).replace(".", empty), BOTH
    blank = apart(lambda grid: framed(grid).replace(".", " "))
    yield "boxes with blanks", blank, BOTH
    yield "boxes whose blanks at the end are lost", re.sub(" +\n", "\n", blank), BOTH
    for between in (" ", ",", ";", "\t", ", ", "|", " | "):
        for write in (zeros, str):

            def cells(grid: str, between: str = between, write: Any = write) -> str:
                return "\n".join(map(between.join, rows(write(grid))))

            yield f"cells with {between!r} and {write.__name__}", apart(cells), BOTH
    for end in ("\r\n", "\r"):
        yield f"lines that end with {end!r}", end.join(BOTH) + end, BOTH
    plain = f"{ONE}\n{TWO}\n"
    for encoding in ("utf-8-sig", "utf-16"):
        yield encoding, plain.encode(encoding), BOTH
    yield "UTF-16, big-endian", b"\xfe\xff" + plain.encode("utf-16-be"), BOTH
    wide = {ord(str(digit)): 0xFF10 + digit for digit in range(10)}
    yield "wide digits", plain.translate(wide), BOTH
    for compress in (gzip.compress, bz2.compress, lzma.compress):
        yield compress.__module__, compress(plain.encode()), BOTH
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("folder/puzzles.txt", plain)
    yield "zip", out.getvalue(), BOTH


def lines() -> Iterator[File]:
    """Yield lines with a grid and more in each, as lists and forums have them."""
    for name, template in {
        "comments": "# a list\n# of two\n{0} # easy\n\n{1} # hard\n",
        "numbers": "1. {0}\n2. {1}\n",
        "numbers in brackets": "1) {0}\n2) {1}\n",
        "labels": "easy: {0}\nhard: {1}\n",
        "ratings": "{0} 1.2\n{1} 8.3\n",
        "ratings of three": "{0},1.2/1.2/1.2 - gsf\n{1},9.0/1.2/1.2 - x\n",
        "HoDoKu": ":0000:x:{0}:::\n:0000:y:{1}:::\n",
        "gsf": "{0} # 30 FN C18.m/S2.da\n{1} # 17\n",
        "YAML": "puzzles:\n  - {0}\n  - {1}\n",
        "YAML with names": "- name: a\n  puzzle: '{0}'\n- name: b\n  puzzle: '{1}'\n",
        "SQL": "INSERT INTO puzzles VALUES (1,'{0}');\nINSERT INTO puzzles VALUES (2,'{1}');\n",
        "XML": '<?xml version="1.0"?>\n<p>\n<q id="1">{0}</q>\n<q id="2">{1}</q>\n</p>\n',
        "Markdown code": "Some puzzles:\n\n```\n{0}\n{1}\n```\n",
        "Markdown table": "| id | puzzle |\n|---|---|\n| 1 | {0} |\n| 2 | {1} |\n",
        "LaTeX": "\\begin{{tabular}}{{l}}\n{0} & 1 \\\\\n{1} & 2 \\\\\n\\end{{tabular}}\n",
        "a judge's": "{0}\n{1}\nend\n",
    }.items():
        yield name, template.format(*BOTH), BOTH
    yield "slashes", "".join(f"{'/'.join(rows(grid))}\n" for grid in BOTH), BOTH
    yield "# before all", f"#1 {ONE}\n#2 {TWO}\n", "contains nothing but comments"
    yield (
        "a space after each row",
        "".join(f"{' '.join(rows(grid))}\n" for grid in BOTH),
        "of this line are in 9 words",
    )


def tables() -> Iterator[File]:
    """Yield tables with names of columns."""
    for name, template, encoding in (
        ("CSV", "puzzle,solution\n{0},{solution}\n{1},\n", "utf-8"),
        ("Kaggle", "id,puzzle,solution,clues\n1,{0},{solution},30\n2,{1},,17\n", "utf-8"),
        ("quotes", '"puzzle","name"\n"{0}","a, b"\n"{1}","c ""d"""\n', "utf-8"),
        ("Excel", "sep=;\nNr;Rätsel\n1;{0}\n2;{1}\n", "cp1252"),
        ("TSV", "id\tgrid\n1\t{0}\n2\t{1}\n", "utf-8"),
        ("German", "Nr;Aufgabe;Lösung;Stufe\n1;{0};{solution};leicht\n2;{1};;schön\n", "latin-1"),
        ("French", "numéro;grille;niveau\n1;{0};facile\n2;{1};difficile\n", "utf-8"),
        ("Chinese", "编号,题目,难度\n1,{0},容易\n2,{1},困难\n", "utf-8"),
        ("Chinese in GB 18030", "编号,题目,难度\n1,{0},容易\n2,{1},困难\n", "gb18030"),
    ):
        yield name, template.format(*BOTH, solution=SOLUTION).encode(encoding), BOTH
    yield "a table of pandas", FRAME.to_csv(), BOTH
    yield "a page of pandas", FRAME.to_html(), BOTH


def grids() -> Iterator[File]:
    """Yield grids of several lines, as programs and pages show them."""
    for heading in ("Easy {} (rating 2.3)", "第{}题 难度：困难", "Grid {:02d}"):
        text = "".join(
            f"{heading.format(number)}\n" + "\n".join(rows(grid)) + "\n\n"
            for number, grid in enumerate(BOTH, 1)
        )
        yield f"below {heading}", text, BOTH
        yield f"below {heading} in GB 18030", text.encode("gb18030"), BOTH
    yield (
        "Euler 96",
        "".join(f"Grid 0{i}\n" + "\n".join(rows(zeros(BOTH[i]))) + "\n" for i in (0, 1)),
        BOTH,
    )
    beside = ("          ".join(map(" ".join, pair)) for pair in zip(*map(rows, BOTH), strict=True))
    yield "two columns", "\n".join(beside) + "\n", BOTH
    beside = ("     ".join(pair) for pair in zip(*map(rows, BOTH), strict=True))
    yield "two columns of rows", "\n".join(beside) + "\n", BOTH
    yield "a forum's", apart(lambda grid: f"[code]\n{framed(grid)}\n[/code]"), BOTH
    yield "a mail's", "".join(f"> {row}\n" for row in rows(ONE)), (ONE,)
    unicode = framed(ONE, "┣━━━╋━━━╋━━━┫", "┃", "┃").replace("|", "┃")
    yield "boxes of Unicode", f"┏━━━┳━━━┳━━━┓\n{unicode}\n┗━━━┻━━━┻━━━┛\n", (ONE,)
    simple = framed(ONE, "|---+---+---|", "|", "|")
    yield "Simple Sudoku", f"*-----------*\n{simple}\n*-----------*\n", (ONE,)
    state = "\n".join(rows(SOLUTION))
    yield "SadMan", "[Puzzle]\n" + "\n".join(rows(ONE)) + f"\n[State]\n{state}\n", (ONE,)
    yield "SudoCue", framed(ONE).replace(".", "X") + "\n", (ONE,)
    printed = "]\n [".join(map(" ".join, rows(zeros(ONE))))
    yield "NumPy's print", f"[[{printed}]]\n", (ONE,)
    inner = ",\n".join("    {" + ", ".join(row) + "}" for row in rows(zeros(ONE)))
    yield "an array in C", f"int grid[9][9] = {{\n{inner}\n}};\n", (ONE,)
    yield "a judge's rows", "1\n" + "\n".join(rows(zeros(ONE))) + "\n", (ONE,)
    cells = "".join(
        "<tr>" + "".join(f"<td>{cell.replace('.', '&nbsp;')}</td>" for cell in row) + "</tr>\n"
        for row in rows(ONE)
    )
    page = (
        f"<!DOCTYPE html>\n<html><head><title>T</title></head><body><h1>Puzzle 1</h1><table>{cells}"
    )
    yield "a page with a grid", f"{page}</table></body></html>", (ONE,)
    yield "a page to play on", f"{page}</table>".replace("&nbsp;", "<input size=1>"), (ONE,)
    games = "".join(f'<game data="{zeros(grid)}"/>' for grid in BOTH)
    yield "OpenSudoku", f'<?xml version="1.0"?>\n<opensudoku>{games}</opensudoku>\n', BOTH


def objects() -> Iterator[File]:
    """Yield JSON, and lists of Python."""
    yield "objects", "".join(json.dumps({"puzzle": grid}) + "\n" for grid in BOTH), BOTH
    yield "objects of lists", "".join(json.dumps({"board": one}) + "\n" for one in LISTS), BOTH
    yield "an object in several lines", json.dumps({"puzzles": BOTH}, indent=1), BOTH
    for name, value in {
        "a list of texts": BOTH,
        "a list of objects": [{"quiz": grid} for grid in BOTH],
        "lists of lists": LISTS,
        "lists of cells": ARRAY.reshape(2, 81).tolist(),
        "lists of rows": list(map(rows, BOTH)),
        "an object of texts": {"easy": ONE, "hard": TWO},
    }.items():
        yield f"{name} in a line", json.dumps(value), BOTH
        yield f"{name} in several lines", json.dumps(value, indent=2), BOTH
    yield "null for empty", json.dumps(LISTS).replace("0", "null"), BOTH
    yield "lists of characters", json.dumps(list(map(list, rows(ONE)))), (ONE,)
    yield "a list of Python", f"board = {json.dumps(LISTS[0])}\n", (ONE,)
    yield "texts of Python", "puzzles = [\n" + "".join(f"    '{g}',\n" for g in BOTH) + "]\n", BOTH
    given: list[list[dict[str, Any]]]
    given = [[{"value": cell, "given": True} if cell else {} for cell in row] for row in LISTS[0]]
    given[0][2] = {"value": 9, "cornerPencilMarks": [1]}  # entered by a player
    yield "f-puzzles", json.dumps({"size": 9, "grid": given}), (ONE,)
    yield "records of pandas", FRAME.to_json(orient="records"), BOTH
    yield "lines of pandas", FRAME.to_json(orient="records", lines=True), BOTH
    for orient in ("columns", "split"):
        yield f"{orient} of pandas", FRAME.to_json(orient=orient), "a whole table as one object"
    yield "a key that occurs twice", f'{{"puzzle":"{ONE}","puzzle":"{TWO}"}}', "occurs twice"


def arrays() -> Iterator[File]:
    """Yield arrays of NumPy, Parquet, Arrow and Excel."""

    def saved(write: Callable[..., Any], *values: Any, **options: Any) -> bytes:
        out = io.BytesIO()
        write(out, *values, **options)
        return out.getvalue()

    flat = ARRAY.reshape(2, 81)
    for name, array in {"2x9x9": ARRAY, "2x81": flat}.items():
        for type_ in (np.int8, np.int64, np.float64):
            yield f"{name} {type_.__name__}", saved(np.save, array.astype(type_)), BOTH
        yield f"{name} in npz", saved(np.savez, array), BOTH
    yield "several arrays", saved(np.savez_compressed, quizzes=flat, solutions=flat), BOTH
    for delimiter in (" ", ","):
        yield (
            f"text with {delimiter!r}",
            saved(np.savetxt, flat, fmt="%d", delimiter=delimiter),
            BOTH,
        )
    yield "text of rows", saved(np.savetxt, ARRAY.reshape(18, 9), fmt="%d"), BOTH
    yield "text of floats", saved(np.savetxt, flat), "these numbers have exponents"
    columns = {
        "texts": pa.array(BOTH),
        "large texts": pa.array(BOTH, pa.large_string()),
        "views": pa.array(BOTH, pa.string_view()),
        "bytes": pa.array([grid.encode() for grid in BOTH]),
        "a dictionary": pa.array(BOTH).dictionary_encode(),
        "lists": pa.array(flat.tolist()),
        "lists of 81": pa.array(flat.tolist(), pa.list_(pa.int8(), 81)),
        "lists of lists": pa.array(LISTS),
    }
    for name, column in columns.items():
        table = pa.table({"puzzle": column, "id": [1, 2]})
        write = partial(_written, parquet.write_table, table)
        yield f"Parquet of {name}", write(), BOTH
    table = pa.table({"puzzle": BOTH})
    yield "Parquet with gzip", _written(parquet.write_table, table, compression="gzip"), BOTH
    yield "Feather", _written(feather.write_feather, table), BOTH
    for name, open_ in {"an Arrow file": ipc.new_file, "an Arrow stream": ipc.new_stream}.items():
        out = io.BytesIO()
        with open_(out, table.schema) as writer:
            writer.write_table(table)
        yield name, out.getvalue(), BOTH
    yield "Excel of pandas", saved(FRAME.to_excel), BOTH


def _written(write: Callable[..., Any], table: Any, **options: Any) -> bytes:
    out = io.BytesIO()
    write(table, out, **options)
    return out.getvalue()


def files() -> Iterator[File]:
    """Yield all files."""
    for some in (texts, lines, tables, grids, objects, arrays):
        yield from some()
