"""Solves puzzles when Celery asks.

The way of a chunk: `dispatch` publishes it to Redis, `tasks` takes it, `chunk` runs it,
`puzzles` says what its puzzles mean, `exact_cover` finds the answers, and `tasks` stores
them in one transaction before the message is acknowledged.

Read in this order: settings, chunk, tasks, dispatch, app, local.
"""
