"""Stores batches, chunks and answers; imports no queue, no solver and reads no environment.

    batch 1 --- n chunk        the outbox: new -> sent -> taken -> done
      1 |
        +------ n answer 1 --- n solution (kept solutions after the first)

A puzzle whose search lasts leaves its chunk and becomes a search with parts, each a chunk.

Read in this order: values, view, tables, errors, database (with engine, driver_errors, location,
clock, signals, postgresql), batches, packing, answers; then the folders summaries, which
counts answers while they are stored, outbox, which changes chunks, searches, which divides what
lasts, archive, which reads answers in files, queries, which only reads, export, which writes these
files, and migrations.
"""
