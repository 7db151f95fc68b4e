"""Summaries of answers."""
