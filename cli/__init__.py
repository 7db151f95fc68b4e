"""The command line: words in, words out; one command a file.

Read in this order: main, then the command you are curious about.
"""
