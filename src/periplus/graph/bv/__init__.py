"""BVGraph, the compressed format of the WebGraph framework: read and written."""
