"""One puzzle drawn as text or as an SVG picture."""
