"""Communities as places in the sky."""
