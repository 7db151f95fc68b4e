"""What `bullseye stats` prints and writes.

Read in this order: statistics (text and JSON, of one batch or two), then the HTML page: data (what
it shows), charts (geometry), sections (its parts), page (rendered with the templates
in html/).
"""
