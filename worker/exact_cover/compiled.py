"""How the functions of the kernel are compiled: `entry`, `part` and `verb`.

numba optimises every function as a program of its own and makes machine code of it, and then
once more in all functions that call it, up to the one that Python calls.  Only that last time is
of use here, so parts are tidied up and handed on: what Python calls is optimised whole, once.
It compiles in less than two thirds of the time, and easy puzzles are solved 6 % faster, because
what is inlined where is not decided part by part.  But this reaches into numba where it promises
nothing; with a numba that it was not tried with, parts are compiled in the usual way.

numba's cache does not see a change in this file: touch `dlx.py` after one.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit, version_info
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder

F = TypeVar("F", bound=Callable[..., Any])

#: the numbas that parts were tried with
TRIED = ((0, 62), (0, 68))


class _Translated(JITCodeLibrary):
    """What numba knows of a part: code to be linked into its callers, as it is."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        return 0  # There is no machine code.

    @property
    def codegen(self) -> "_Translated":
        return self  # which is asked for `set_env` only

    def set_env(self, _name: str, _environment: object) -> None:
        """Only a function that makes Python objects would look into its environment."""


class _Translator(CompilerBase):
    """The usual steps, towards a library of our own."""

    def define_pipelines(self) -> list[Any]:
        state, builder = self.state, DefaultPassBuilder
        library: Any = _Translated
        state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
        return [builder.define_nopython_pipeline(state)]  # type: ignore[no-untyped-call]


def _compiled(**options: Any) -> Callable[[F], F]:
    """Without `_nrt=False` numba would count references to every array at every touch.

    That takes half of the time of an easy puzzle; nothing here makes or returns an array.  Nor
    is there a division by zero to be told of, or an expression of whole arrays to rewrite.
    """
    decorate: Any = njit
    usual = {"nogil": True, "_nrt": False, "error_model": "numpy", "no_rewrites": True}
    decorated: Callable[[F], F] = decorate(**usual, **options)
    return decorated


def _part(**options: Any) -> Callable[[F], F]:
    if TRIED[0] <= version_info.short <= TRIED[1]:
        options["pipeline_class"] = _Translator
    return _compiled(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)


#: Python calls it, and nothing else does
entry = _compiled(cache=True, no_cfunc_wrapper=True)
#: it is called by compiled functions only
part = _part()
#: as well, at every step
verb = _part(forceinline=True)
