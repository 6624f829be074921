"""A folder of files that stood on the web: which are pages, where each stood, what their links say of both."""
