"""What the options of a cover problem may cost."""

#: beyond it, sums of costs might not fit into 64 bits
LARGEST_COST = 10**9
