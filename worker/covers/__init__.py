"""Cover problems: their JSON text, and their answers.

Read in this order: text, decoding, set_cover, radius, solve.
"""
