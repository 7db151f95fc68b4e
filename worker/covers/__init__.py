"""Cover problems: their JSON text, and their answers.

Read in this order: text, set_cover, radius, solve.
"""
