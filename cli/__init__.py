"""The command line: parses arguments, calls `worker` and `storage`, prints answers.

Read in this order: main (finds the command), errors (exit codes), options and parameters (what
commands share), one file of commands/, then the folder it calls: input/, progress/, output/,
report/, serve/ or doctor/.  Small ones: database (connections), again (retries), verify, drawing,
tree, deletion, proofs, signals (what ends a command), streams (which all output passes) and
formatting (text for people).
"""
