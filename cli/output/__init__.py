"""Answers as tables, files, pictures and judge output."""
