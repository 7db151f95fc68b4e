"""`bullseye stats`: figures, comparisons and the HTML page."""
