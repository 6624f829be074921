"""Commands about communities, the tree over them, and the knowledge base."""
