"""Batches, chunks and answers; knows no queue, no solver, no environment.

    batch 1 --- n chunk        the outbox: new -> sent -> taken -> done
      1 |
        +------ n answer 1 --- n solution (the further kept ones)

Read in this order: values, tables, database, batches, chunks, answers, queries.
"""
