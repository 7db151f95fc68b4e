"""One command a file; each is imported when it is called."""
