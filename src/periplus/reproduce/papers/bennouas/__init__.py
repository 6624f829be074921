"""Bennouas, Bouklit and de Montgolfier, the gravitational model: its laws, its pictures, its cost."""
