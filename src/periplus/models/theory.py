"""What the models should give, as formulas: degree laws, thresholds, path lengths, clustering.

Degree laws are functions from k to the expected share of pages of that degree. Symbols as in the models: ring lattice
of degree d = 2κ (κ neighbours on either side), φ shortcuts per lattice link, c = np the mean degree of Erdős–Rényi.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, zeta

from periplus.numeric.arrays import AnyArray, Floats

# -- Erdős–Rényi -------------------------------------------------------------------------------------------------


def erdos_renyi_degrees(n: int, p: float, k: AnyArray) -> Floats:
    """Binomial: C(n−1, k) p^k (1−p)^(n−1−k)."""
    k = np.asarray(k, dtype=np.float64)
    if p in (0.0, 1.0):
        return np.where(k == (n - 1) * p, 1.0, 0.0)
    choose = gammaln(n) - gammaln(k + 1.0) - gammaln(n - k)
    return np.exp(choose + k * math.log(p) + (n - 1 - k) * math.log1p(-p))


def giant_share(c: float) -> float:
    """θ = 1 − e^{−cθ}: the share of pages in the giant component at mean degree c; 0 up to the threshold c = 1."""
    if c <= 1.0:
        return 0.0
    return float(brentq(lambda theta: theta - 1.0 + math.exp(-c * theta), 1e-12, 1.0))


def random_graph_clustering(n: int, mean_degree: float) -> float:
    """d/n: two neighbours are linked as rarely as any two pages."""
    return mean_degree / n


def random_graph_path_length(n: int, mean_degree: float) -> float:
    """(ln n − γ)/ln d + 1/2 (Fronczak et al. 2004), the mean distance in a random graph of mean degree d."""
    return (math.log(n) - np.euler_gamma) / math.log(mean_degree) + 0.5


# -- small worlds ------------------------------------------------------------------------------------------------


def lattice_clustering(d: int) -> float:
    """3(d−2)/(4(d−1)): clustering of the ring lattice."""
    return 3.0 * (d - 2) / (4.0 * (d - 1))


def lattice_path_length(n: int, d: int) -> float:
    """Mean distance of the ring lattice, exact: pages at ring distance x are ⌈2x/d⌉ hops away."""
    distances = np.arange(1, n // 2 + 1)
    hops = -(-2 * distances // d)
    pages = np.where(2 * distances == n, 1, 2)
    return float((hops * pages).sum() / (n - 1))


def rewired_clustering(d: int, p: float) -> float:
    """C(p) ≈ C(0)·(1−p)³: a triangle survives when none of its three links moved (Barrat & Weigt 2000)."""
    return lattice_clustering(d) * (1.0 - p) ** 3


def mean_field_path_length(n: int, d: int, p: float) -> float:
    """Newman, Moore & Watts 2000: ℓ = (n/κ)·f(nκp), f(x) = artanh(x/√(x²+2x)) / (2√(x²+2x)), κ = d/2.

    For the edge-addition model. Exact for hardly a shortcut (n/4κ at p = 0) and to leading order, ln(2x)/(4κ²p), for
    very many; in between it is up to a quarter too short.
    """
    kappa = d / 2.0
    x = n * kappa * p
    if x < 1e-9:
        return n / (4.0 * kappa)
    root = math.sqrt(x * x + 2.0 * x)
    return n / kappa * math.atanh(x / root) / (2.0 * root)


def percolation_shortcuts(f: float, d: int) -> float:
    """The φ at which an epidemic becomes possible when a share f of the pages is susceptible (Moore & Newman 2000).

    φ = (1−f)^κ / (2κf(2 − (1−f)^κ)): on the ring alone a cluster holds (2−q)/q pages on average, q = (1−f)^κ; each page
    has 2κφ shortcut ends, a share f of which lead to a susceptible page; the product is 1 at the threshold.
    """
    kappa = d // 2
    q = (1.0 - f) ** kappa
    return q / (2.0 * kappa * f * (2.0 - q))


def percolation_threshold(d: int, p: float) -> float:
    """The share f of susceptible pages at which outbreaks diverge on an edge-addition small world."""
    if p <= 0.0:
        return 1.0
    return float(brentq(lambda f: percolation_shortcuts(f, d) - p, 1e-12, 1.0 - 1e-12))


def cluster_tail(j: AnyArray, cutoff: float) -> Floats:
    """Moore & Newman: near the threshold P(j) ∝ j^{−3/2} e^{−j/j*}, normalised over the given j."""
    j = np.asarray(j, dtype=np.float64)
    weights = j**-1.5 * np.exp(-j / cutoff)
    return weights / weights.sum()


# -- growing graphs ----------------------------------------------------------------------------------------------


def preferential_degrees(m: int, k: AnyArray) -> Floats:
    """p_k = 2m(m+1)/(k(k+1)(k+2)) for k ≥ m: the solution of L's master equation, with the m + 1 that L lost."""
    k = np.asarray(k, dtype=np.float64)
    return np.where(k >= m, 2.0 * m * (m + 1) / np.maximum(k * (k + 1) * (k + 2), 1e-300), 0.0)


def master_equation(m: int, largest: int) -> Floats:
    """L's master equation as printed, solved step by step: p_k = ½(k−1)p_{k−1} − ½k p_k, p_m = 1 − ½m p_m.

    Returns p_0 … p_largest: the oracle of `preferential_degrees`.
    """
    shares = np.zeros(largest + 1)
    if largest >= m:
        shares[m] = 1.0 / (1.0 + 0.5 * m)
    for k in range(m + 1, largest + 1):
        shares[k] = 0.5 * (k - 1) * shares[k - 1] / (1.0 + 0.5 * k)
    return shares


def uniform_growth_degrees(m: int, k: AnyArray) -> Floats:
    """Growth without preference: p_k = (1/(m+1))·(m/(m+1))^{k−m} for k ≥ m, exponential."""
    k = np.asarray(k, dtype=np.float64)
    return np.where(k >= m, (m / (m + 1.0)) ** (k - m) / (m + 1.0), 0.0)


def copying_in_degrees(rho: float, out_degree: int, largest: int) -> Floats:
    """Shares p_0 … p_largest of in-degrees in linear-growth copying, from its own master equation.

    A page of in-degree k gains A_k/t links at time t, A_k = ρd + (1−ρ)k; so p_k(1 + A_k) = A_{k−1}p_{k−1} and
    p_0 = 1/(1+A_0). The tail falls as k^−(2−ρ)/(1−ρ).
    """
    gain = rho * out_degree + (1.0 - rho) * np.arange(largest + 1, dtype=np.float64)
    shares = np.empty(largest + 1)
    shares[0] = 1.0 / (1.0 + gain[0])
    for k in range(1, largest + 1):
        shares[k] = gain[k - 1] * shares[k - 1] / (1.0 + gain[k])
    return shares


def copying_exponent(rho: float) -> float:
    """(2−ρ)/(1−ρ)."""
    return (2.0 - rho) / (1.0 - rho) if rho < 1.0 else math.inf


def alpha_beta_links(alpha: float, beta: float) -> float:
    """½ζ(β−1)e^α, the number of undirected links for β > 2."""
    return 0.5 * float(zeta(beta - 1.0)) * math.exp(alpha)


# The largest β at which the α–β model has a giant component: ζ(β−2) = 2ζ(β−1) (Aiello, Chung & Lu 2000).
ALPHA_BETA_GIANT = float(brentq(lambda beta: zeta(beta - 2.0) - 2.0 * zeta(beta - 1.0), 3.01, 4.5))


# -- routing -----------------------------------------------------------------------------------------------------


def routing_exponent(dimensions: int, r: float) -> float:
    """Greedy routing takes about s^x hops on a grid of side s: x of Kleinberg's lower bounds, 0 where it is log² s.

    x = (k−r)/(k+1) for r < k, (r−k)/(r−k+1) for r > k.
    """
    k = dimensions
    if r < k:
        return (k - r) / (k + 1.0)
    return (r - k) / (r - k + 1.0)
