"""`periplus rank`: one command per ranking, and the commands that compare rankings."""
