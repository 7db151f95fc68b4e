"""The two clocks of compiled code: wall time, and the CPU time of the thread that runs it.

Slices and time limits end by wall time. The time of a puzzle is CPU time: other programs on the
same core, which may stop a thread for a hundred milliseconds, do not add to it. On a system that
has no clock of CPU time per thread it is wall time.

The system answers for the CPU time in 200 ns, because it must enter its kernel, and for the wall
time in 20 ns. A puzzle may take 5000 ns. So a puzzle's time is measured by the wall clock, and both
clocks are read only every MAX_UNREAD_NS: what the wall clock has gained on the other since then is
time in which the thread did not run, and is subtracted. As a pause makes a puzzle long, it is
subtracted from the puzzle that it interrupted.
"""

import time
from ctypes import CDLL, CFUNCTYPE, c_int, c_void_p

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import Int, Integers

#: integers in the memory of a clock: two that the system overwrites, then WALL and CPU
CLOCK_SIZE = 4
#: where the memory holds both times of the moment when both clocks were last read
WALL, CPU = 2, 3
#: nanoseconds of wall time for which the CPU time is not read; so reading it takes 0.4 %
MAX_UNREAD_NS = 50_000

_CPU_CLOCK: int = getattr(time, "CLOCK_THREAD_CPUTIME_ID", time.CLOCK_MONOTONIC)
_gettime = CFUNCTYPE(c_int, c_int, c_void_p)(("clock_gettime", CDLL(None)))


def clock_gettime(clock: int, address: int) -> int:
    """Write the time of a clock, two integers, to an address; return 0 if there is such a clock."""
    return int(_gettime(clock, address))


@inlined
def now(memory: Integers) -> Int:
    """Return the wall time in nanoseconds, on a clock that never goes back; takes 20 ns."""
    clock_gettime(time.CLOCK_MONOTONIC, memory.ctypes.data)
    return int(memory[0] * 1_000_000_000 + memory[1])


@inlined
def cpu_time(memory: Integers) -> Int:
    """Return the CPU time of this thread in nanoseconds; takes 200 ns."""
    clock_gettime(_CPU_CLOCK, memory.ctypes.data)
    return int(memory[0] * 1_000_000_000 + memory[1])


@compiled
def start(memory: Integers) -> Int:
    """Read both clocks and return the wall time; call it before `time_run`, in the same thread."""
    memory[CPU] = cpu_time(memory)
    memory[WALL] = now(memory)
    return memory[WALL]


@compiled
def time_run(memory: Integers, began: Int, ended: Int) -> Int:
    """Return the nanoseconds that this thread ran between two wall times; `ended` is now."""
    passed = ended - memory[WALL]
    if passed < MAX_UNREAD_NS:
        return ended - began
    cpu = cpu_time(memory)
    paused = passed - (cpu - memory[CPU])
    memory[WALL], memory[CPU] = ended, cpu
    return max(ended - began - paused, 0)
