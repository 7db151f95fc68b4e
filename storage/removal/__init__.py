"""Batches that are removed: by a user, by the command that was storing them, or after its death.

Read in this order: deletion, owners.
"""
