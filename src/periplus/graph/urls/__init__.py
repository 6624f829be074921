"""The URLs and names of nodes, id ↔ URL, front-coded."""
