"""Answers as tables, files and judge output."""
