"""The claims: a folder a paper, a function a claim."""
