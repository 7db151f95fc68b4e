"""Vertex covers and packings: a bound for where the options are a graph.

Read in this order: graph, edges, cliques, conflicts.
"""
