"""What Bullseye takes, as a multiple of what the machine takes for the least that must be done.

Each floor is measured in the same run as the command beside it, in turn.  Read in this order: row,
processes, answers, batches, tables.
"""
