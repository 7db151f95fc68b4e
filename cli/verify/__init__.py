"""Answers compared with what the input or the user expects."""
