"""Runs every test that is marked as an attack."""
