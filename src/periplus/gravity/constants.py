"""The constants of the gravitational model, the two presets, and which constants are refused.

Bennouas, Bouklit and de Montgolfier print the laws and leave G, λ, α and more to experiment. What they leave open has a
name here:

    ε (softening)   Newton's force is infinite between two pages at one point; distances count as √(dist² + ε²)
    dt (time_step)  one instant of the discrete time
    damping         the share of its speed that a page keeps per step: 1 is the paper's world without friction
    farthest        how far a page may move per step: nothing in the paper holds a page that is pulled hard back
    divided         the force of a link is divided by the in-degree of its target, so that a page that everybody
                    links to does not pull the whole sky onto one point

Pages do not collide: they pass through each other, which is what softening means.

**What must explode.** Two pages near each other swing with ω² = G Σm/ε³, and a step of dt follows that swing only
while ω² dt² < 4. With the mean mass 1 and k links per page, each pulling both its ends, G·2k·dt²/ε³ ≥ 4 is
refused. The expansion multiplies all distances by at most exp(λ/(1 − e^−α)) in the end; more than `MOST_EXPANSION` is
refused too. G, ε, dt and the farthest move have bounds within which G dt, ε² and 1/ε⁴ are numbers of a float32.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from periplus.catalog import Parameter
from periplus.errors import ParameterError

if TYPE_CHECKING:
    from periplus.graph.graph import Graph

MOST_EXPANSION = 1e6
# λ and α of the paper preset: the volume grows tenfold, Π(1 + λ e^−αt)³ = 10, most of it in the first hundred steps.
LAMBDA, ALPHA = 0.0228, 0.03
# The measured strength at which a ring contracts, a small world parts and a random graph dissolves: G·2k·dt²/ε³. Where
# ε is smaller, G stays as long as the strength is below the other one: as many steps then show as much.
STRENGTH, STRONGEST = 0.05, 1.0
# With friction a sky needs more to gather. At 1 communities part within 60 steps and are not yet points: on Wikispeedia
# and on the demonstration web the tenth neighbour of a page is then 0.5 to 10 % of the radius away.
SKY_STRENGTH = 1.0
# No bound: more than the positions of a simulation may reach.
UNBOUNDED = 1e19

PARAMETERS = (
    Parameter("gravity", "float", 1e-6, "Newton's constant G", 0.0, 1e30, also=("G", "g")),
    Parameter("expansion", "float", 0.0, "λ: the first step multiplies distances by 1 + λ", 0.0),
    Parameter("slowing", "float", 0.03, "α: the expansion of step t is λ exp(−α t)", 0.0, open_low=True),
    Parameter("delta", "int", 2, "δ: mass prefers near pages by 1/dist^δ; 0 is PageRank", 0, 4),
    Parameter("handed", "float", 0.85, "d: the share of its mass that a page hands on", 0.0, 1.0),
    Parameter("softening", "float", 0.1, "ε: distances count as √(dist² + ε²)", 1e-6, 1e6),
    Parameter("time_step", "float", 1.0, "dt: the time of one step", 0.0, 1e6, open_low=True),
    Parameter("damping", "float", 1.0, "share of its speed that a page keeps per step", 0.0, 1.0),
    Parameter("farthest", "float", UNBOUNDED, "the farthest that a page moves per step", 0.0, UNBOUNDED, open_low=True),
    Parameter("divided", "flag", False, "divide the force of a link by the in-degree of its target"),
    Parameter("transfer", "flag", True, "whether mass moves along the links"),
)


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of a world; see the module docstring."""

    gravity: float = 1e-6
    expansion: float = 0.0
    slowing: float = 0.03
    delta: int = 2
    handed: float = 0.85
    softening: float = 0.1
    time_step: float = 1.0
    damping: float = 1.0
    farthest: float = UNBOUNDED
    divided: bool = False
    transfer: bool = True

    def __post_init__(self) -> None:
        for parameter in PARAMETERS:
            object.__setattr__(self, parameter.name, parameter.check(getattr(self, parameter.name)))
        if self.expansion / -math.expm1(-self.slowing) > math.log(MOST_EXPANSION):
            allowed = f"an expansion that ends below {MOST_EXPANSION:,.0f} times: a smaller λ, or a larger α"
            raise ParameterError("expansion, slowing", (self.expansion, self.slowing), allowed)

    def check(self, graph: Graph) -> None:
        """Refuse constants under which pages of this graph must fly apart; see the module docstring."""
        strength = self.gravity * pulls_per_page(graph, divided=self.divided) * self.time_step**2 / self.softening**3
        if not strength < 4:
            given = (self.gravity, self.softening, self.time_step)
            allowed = (
                f"G·2k·dt²/ε³ < 4, and here it is {strength:.3g}: one step then throws pages farther than the swing it "
                "follows. A smaller G or dt, or a larger ε"
            )
            raise ParameterError("gravity (G), softening (ε), time_step (dt)", given, allowed)

    def stretch(self, step: int) -> float:
        """1 + λ exp(−α t): what the expansion multiplies distances by in a step."""
        return 1.0 + self.expansion * math.exp(-self.slowing * step)

    def to_dict(self) -> dict[str, Any]:
        """The constants by name."""
        return asdict(self)


def pulls_per_page(graph: Graph, *, divided: bool = False) -> float:
    """Links per page, counted at both ends; where forces are divided, the sum of their divided strengths per page."""
    if not graph.nodes:
        return 0.0
    return 2.0 * (int((graph.in_degrees > 0).sum()) if divided else graph.links) / graph.nodes


def paper(graph: Graph) -> Constants:
    """The world of the paper: no friction, tenfold volume, G such that G·2k·dt²/ε³ = 0.05 up to 1,000 pages.

    ε is a tenth of the ring's radius there and shrinks with the distance of neighbours beyond. What is as wide as the
    ring falls in √(R³/2kG) steps. So G stays beyond 1,000 pages: if it shrank with ε³, 3,000 steps would show less and
    less. From 5,000 pages on this would throw pages past each other, and G shrinks.
    """
    finer = min(1.0, (1000 / max(graph.nodes, 1)) ** 0.63)
    softening, strength = 0.1 * finer, min(STRONGEST, STRENGTH / finer**3)
    gravity = _gravity(graph, softening, strength)
    return Constants(gravity=gravity, expansion=LAMBDA, slowing=ALPHA, softening=softening)


def sky(graph: Graph) -> Constants:
    """A world to look at: friction brings it to rest, and no page pulls harder because many link to it."""
    softening = 0.05
    return Constants(
        gravity=_gravity(graph, softening, SKY_STRENGTH, divided=True),
        expansion=LAMBDA,
        slowing=ALPHA,
        softening=softening,
        damping=0.9,
        farthest=0.5 * softening,
        divided=True,
    )


def _gravity(graph: Graph, softening: float, strength: float, *, divided: bool = False) -> float:
    pulls = pulls_per_page(graph, divided=divided)
    return strength * softening**3 / pulls if pulls else 0.0
