"""The sky: the gravitational model of the Web (Bennouas, Bouklit and de Montgolfier 2003)."""
