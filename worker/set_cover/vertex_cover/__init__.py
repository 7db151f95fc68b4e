"""Covers of items that have two options each: a bound for where the options are a graph.

Read in this order: graph, edges, cliques, conflicts.
"""
