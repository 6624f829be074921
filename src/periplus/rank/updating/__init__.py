"""Re-ranking after links changed."""
