"""Rankings against each other and against change."""
