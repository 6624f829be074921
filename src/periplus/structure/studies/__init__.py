"""The whole study of the shape of a web, in words and pictures."""
