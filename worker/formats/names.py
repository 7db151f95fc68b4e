"""Names that columns, keys and arrays have in the files of public collections."""

from typing import NamedTuple

#: names of the puzzle's column in the files of public collections, as messages list them
ENGLISH_PUZZLES = (
    "board",
    "grid",
    "puzzle",
    "puzzles",
    "question",
    "quiz",
    "quizzes",
    "sudoku",
    "unsolved",
)
#: the same in other languages as well
PUZZLES = frozenset(
    {*ENGLISH_PUZZLES, "rätsel", "raetsel", "aufgabe", "grille", "题目", "谜题", "数独"}
)
#: names of the column of known solutions, the likeliest first: `solutions` can be their number
SOLUTIONS = (
    *("solution", "answer", "solved", "solutions", "answers"),
    *("lösung", "loesung", "lösungen", "réponse", "答案", "解答"),
)
#: names of the column that names the puzzle, the likeliest first
LABELS = (
    *("label", "name", "title", "id"),
    *("titel", "nom", "titre", "nr", "nr.", "nummer", "numéro", "numero", "编号", "名称"),
)
#: the parts that make a zip archive a spreadsheet
SPREADSHEETS = (EXCEL, OPEN_DOCUMENT) = ("xl/workbook.xml", "content.xml")
#: the line before the tables of an HTML page; detection names the page by it if it has no puzzles
HTML_HEADING = "# tables of an HTML page"


class Roles(NamedTuple):
    """The names of the columns that the user has chosen; None where those above are looked for."""

    puzzle: str | None = None
    solution: str | None = None
    label: str | None = None


#: nothing is chosen
NO_ROLES = Roles()
