"""Names that columns, keys and arrays have in the files of public collections."""

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
