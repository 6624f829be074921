"""The sky of a collection for looking at: stars, their colours, and what stands beside them."""

from periplus.library.sky.colours import COLOURINGS, Coloured, coloured
from periplus.library.sky.figures import figures_of
from periplus.library.sky.names import Place, Star, find_stars, links_of_star, places_of, star_facts
from periplus.library.sky.stars import Stars, has_sky, stars_of

__all__ = [
    "COLOURINGS",
    "Coloured",
    "Place",
    "Star",
    "Stars",
    "coloured",
    "figures_of",
    "find_stars",
    "has_sky",
    "links_of_star",
    "places_of",
    "star_facts",
    "stars_of",
]
