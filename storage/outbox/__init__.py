"""The transactional outbox: each `chunk` row is a message to send, and the lease of its worker.

    new ----> sent ----> taken ----> done
     ^         |           |
     +---------+-----------+

Every arrow is one conditional UPDATE (compare-and-set) on the row, so two processes never both
follow it.  `attempts` counts the leases of a chunk and is its fencing token: a worker whose lease
was taken over holds an older number, and can neither renew it nor store a part of the answers.

Read in this order: stride (which batch is next), publishing (new -> sent), leases (sent -> taken ->
done), recovery (back to new or sent), steering and removal (of a whole
batch).
"""
