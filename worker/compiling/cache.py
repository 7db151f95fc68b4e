"""Machine code in files, which no two processes make at once, and how it is loaded.

Its folder is that of NUMBA_CACHE_DIR, if it is set.  Otherwise it is read from the bytecode of this
package or the user's cache, and written to the first of them that can be written to.
"""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import perf_counter_ns, sleep
from typing import Any, NamedTuple
from zlib import crc32

from worker.compiling.log import announce

#: the setting that names the folder
FOLDER = "NUMBA_CACHE_DIR"
#: a process that is suspended while it compiles does not keep others waiting for longer
MAX_WAIT_NS = 60 * 10**9


class Code(NamedTuple):
    """The machine code of a function."""

    symbol: str  #: its name among those that the code defines
    results: str  #: a character each: an integer with a sign (q) or without (Q), or a truth (?)
    is_tuple: bool  #: whether the results are those of one tuple
    machine: bytes  #: an object file


def load(name: str) -> Code | None:
    """Return stored code; None if no folder has it, or only a damaged file."""
    for folder in _folders():
        with suppress(OSError, ValueError):
            return _decoded((folder / _file_name(name)).read_bytes())
    return None


def make(name: str, compile_: Callable[[], Code]) -> Code:
    """Compile and store code; if another thread or process does, wait and load what it stored."""
    folder = next((folder for folder in _folders() if _is_writable(folder)), None)
    with _threads, _locked(folder):
        code = load(name)
        if code is None:
            announce()
            code = compile_()
            if folder:
                _store(folder / _file_name(name), code)
        return code


def address(code: Code) -> int:
    """Load machine code into this process, for good, and return the address of its function."""
    llvm, machine = _llvm(), os.uname().machine
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    # LLVM's own memory manager may place code and data too far apart for 64-bit ARM.
    is_arm = machine in {"aarch64", "arm64"}
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target, use_lmm=is_arm)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.machine))
    engine.finalize_object()
    _LOADED.append(engine)
    found: int = engine.get_function_address(code.symbol)
    return found


#: code is in use until the process ends
_LOADED: list[Any] = []
#: of the threads of this process, one compiles
_threads = Lock()


@cache
def _llvm() -> Any:
    import llvmlite.binding as llvm  # noqa: PLC0415 # a start that solves nothing does not need it

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@cache
def _folders() -> tuple[Path, ...]:
    """Return the folders of this system's machine code."""
    asked = os.environ.get(FOLDER)
    if asked:
        return (Path(asked),)
    from platformdirs import user_cache_path  # noqa: PLC0415 # 5 ms

    return Path(__file__).parent / "__pycache__", user_cache_path("bullseye")


@cache
def _file_name(name: str) -> str:
    """Return the name of the file for code of this name, this processor and this compiler."""
    from importlib.metadata import version  # noqa: PLC0415 # 20 ms

    llvm = _llvm()
    settings = [name for name in os.environ if name.startswith("NUMBA_") and name != FOLDER]
    made_for = [
        *(llvm.get_process_triple(), llvm.get_host_cpu_name()),
        *(llvm.get_host_cpu_features().flatten(), version("numba"), version("llvmlite")),
        *(f"{name}={os.environ[name]}" for name in sorted(settings)),
    ]
    digest = sha256("\n".join(made_for).encode()).hexdigest()
    return f"{name}-{digest[:16]}.o"


def _is_writable(folder: Path) -> bool:
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder.is_dir() and os.access(folder, os.W_OK)


def _store(path: Path, code: Code) -> None:
    """Write code to a file, whole or not at all; a full disk is no reason not to solve."""
    symbol, results, is_tuple, machine = code
    head = f"{crc32(machine)} {symbol} {int(is_tuple)}{results}\n"
    draft = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        draft.write_bytes(head.encode() + machine)
        draft.replace(path)
    with suppress(OSError):
        draft.unlink(missing_ok=True)


def _decoded(stored: bytes) -> Code:
    """Return the code of a file's bytes; raise ValueError if the file is damaged."""
    head, _, machine = stored.partition(b"\n")
    check, symbol, results = head.decode().split()
    if int(check) != crc32(machine):
        raise ValueError("the file is damaged")
    return Code(symbol, results[1:], results[0] == "1", machine)


@contextmanager
def _locked(folder: Path | None) -> Iterator[None]:
    """Lock a folder, if its file system has locks; wait for MAX_WAIT_NS at most."""
    file: int | None = None
    began = perf_counter_ns()
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY) if folder else None
        while file is not None and not _is_locked(file) and perf_counter_ns() - began < MAX_WAIT_NS:
            sleep(0.05)
    try:
        yield
    finally:
        if file is not None:
            os.close(file)


def _is_locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
