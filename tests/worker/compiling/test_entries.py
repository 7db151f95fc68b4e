"""The compiled functions that Python calls, and what numba's cache knows of them."""

import re

from tests.test_layout import ROOT, module_name, own_imports, python_files

WORKER = ROOT / "worker"


def test_every_entry_names_the_folders_of_the_functions_that_it_calls() -> None:
    # Else the cache would not notice an edit of a function in another file.
    modules = {module_name(path): path for path in python_files("worker")}
    texts = {path: path.read_text() for path in modules.values()}
    for path, text in texts.items():
        imported = [modules[name] for name in own_imports(path, {*modules})]
        called = [one for one in imported if re.search("^@(compiled|inlined)", texts[one], re.M)]
        for arguments in re.findall(r"^@entry\((.+)\)", text, re.M):
            names = [name.removesuffix(".__file__") for name in arguments.split(", ")]
            folders = [path.parent if name == "__file__" else WORKER / name for name in names]
            for one in called:
                known = [*folders, WORKER / "compiling"]
                assert any(one.is_relative_to(folder) for folder in known), (path, one)
