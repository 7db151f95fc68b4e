"""`bullseye serve`: pages about the batches of a database, for a browser on this machine.

Read in this order: pages (what each page shows, from SQL only), app (addresses, the token, errors).
"""
