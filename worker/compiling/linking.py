"""Compiled functions that are optimised once, as part of the function that Python calls.

numba optimises each function and makes machine code of it, and then does so again within every
function that calls it, up to the entry that Python calls. Only the last result is used. A function
compiled by `LinkedCompiler` is translated to LLVM's intermediate code and linked into its callers
as it is. A cold compile of the whole kernel then takes 8 s of CPU time instead of 11, and easy
puzzles are solved about 6 % faster, because LLVM decides once, and for the whole, what to inline.

This overrides methods that numba does not document. `compiler_options` uses it only with the
versions it was tried with; with any other, functions are compiled in the usual way.
"""

from typing import Any

from numba import version_info
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder

#: the first and the last version of numba that this was tried with
TRIED_VERSIONS = ((0, 62), (0, 68))


class LinkedLibrary(JITCodeLibrary):
    """The intermediate code of one function, without machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, _name: str) -> int:
        """Return no address, because there is no machine code."""
        return 0

    @property
    def codegen(self) -> "LinkedLibrary":
        """Return this object, of which numba calls only `set_env`."""
        return self

    def set_env(self, _name: str, _environment: object) -> None:
        """Do nothing: only functions that create Python objects use their environment."""


class LinkedCompiler(CompilerBase):
    """numba's usual compiler, which writes to a `LinkedLibrary`."""

    def define_pipelines(self) -> list[Any]:
        """Return numba's pipeline, after setting the library that it writes to."""
        state, builder = self.state, DefaultPassBuilder
        library: Any = LinkedLibrary
        state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
        return [builder.define_nopython_pipeline(state)]  # type: ignore[no-untyped-call]


def compiler_options() -> dict[str, Any]:
    """Return the options of `njit` for functions that only compiled functions call."""
    if TRIED_VERSIONS[0] <= version_info.short <= TRIED_VERSIONS[1]:
        return {"pipeline_class": LinkedCompiler}
    return {}
