"""Cover problems: their JSON text, and their answers.

Read in this order: text, decoding, radius, solve.
"""
