"""What `bullseye stats` prints and writes.

Read in this order: statistics (text and JSON, of one batch or two), then the HTML page: charts
(geometry), sections (its data and its parts), page (rendered with the templates in html/).
"""
