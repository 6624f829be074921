"""`/lab`: models grown in a process of their own."""
