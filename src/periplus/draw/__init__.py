"""Pictures: charts and the bow-tie as inline SVG, without any plotting library."""
