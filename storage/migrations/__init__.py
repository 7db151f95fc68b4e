"""Creates and upgrades the tables.  Read in this order: upgrade, env, and the files in versions."""
