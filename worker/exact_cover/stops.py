"""Why a search returned.

After PAUSED and FULL it continues when it is called again; after the others it has ended, and every
link is as it was at the start.
"""

PAUSED = 1  #: its slice of time is over
FULL = 2  #: there is no room for another kept solution
EXHAUSTED = 3  #: every solution within the budget was visited
LIMITED = 4  #: it found as many solutions as were asked for
TIMED_OUT = 5  #: its time is over
NODE_LIMITED = 6  #: it visited as many nodes as it may
MANY = 7  #: it found many solutions at once, and is to start again without comparing pairs

GOING_ON = frozenset((PAUSED, FULL))
