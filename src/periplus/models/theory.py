"""What the models should give, as formulas: degree laws, thresholds, path lengths, clustering.

Degree laws are functions from k to the expected share of pages of that degree. Symbols as in the models: ring lattice
of degree d = 2κ (κ neighbours on either side), φ shortcuts per lattice link, c = np the mean degree of Erdős–Rényi.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, zeta

from periplus.errors import ParameterError
from periplus.numeric.arrays import AnyArray, Floats


def _root(function: Callable[[float], float], low: float, high: float, *, otherwise: float) -> float:
    """Where the function is 0; `otherwise` where rounding leaves it no change of sign, next to an end of its range."""
    if function(low) * function(high) >= 0.0:
        return otherwise
    return float(brentq(function, low, high))


# -- Erdős–Rényi -------------------------------------------------------------------------------------------------


def erdos_renyi_degrees(n: int, p: float, k: AnyArray) -> Floats:
    """Binomial: C(n−1, k) p^k (1−p)^(n−1−k)."""
    k = np.asarray(k, dtype=np.float64)
    if p in (0.0, 1.0):
        return np.where(k == (n - 1) * p, 1.0, 0.0)
    choose = gammaln(n) - gammaln(k + 1.0) - gammaln(n - k)
    return np.exp(choose + k * math.log(p) + (n - 1 - k) * math.log1p(-p))


def erdos_renyi_link_degrees(n: int, m: int, k: AnyArray, *, directed: bool = True) -> Floats:
    """Hypergeometric: of all pairs, n−1 would link to the page (or, undirected, touch it), and m are drawn."""
    from scipy.stats import hypergeom  # slow to load, and seldom wanted

    pairs = n * (n - 1) // (1 if directed else 2)
    return np.asarray(hypergeom.pmf(k, pairs, n - 1, m), dtype=np.float64)


def giant_share(c: float) -> float:
    """θ = 1 − e^{−cθ}: the share of pages in the giant component at mean degree c; 0 up to the threshold c = 1."""
    if c <= 1.0:
        return 0.0
    return _root(lambda theta: theta - 1.0 + math.exp(-c * theta), 1e-12, 1.0, otherwise=0.0)


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
    return _root(lambda f: percolation_shortcuts(f, d) - p, 1e-12, 1.0 - 1e-12, otherwise=1.0)


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


def preference_only_degrees(n: int, m: int, largest: int) -> Floats:
    """Shares p_0 … p_largest of degrees when m links join n fixed pages, one end drawn by degree + 1.

    After k links a page of degree d is chosen with probability 1/n + (d+1)/(n+2k). In the time s = ½ ln(1 + 2k/n) that
    is a birth process of rate (d+1) + e^{2s}: a family of 1 + d members that doubles as Yule's does, and newcomers at
    rate e^{2u}, each of which founds a family. So the generating function at s is

        G(z) = q/(1 − (1−q)z) · exp ∫₀ˢ e^{2u}(Y_{s−u}(z) − 1) du,   Y_t(z) = z e^{−t}/(1 − (1−e^{−t})z),   q = e^{−s},

    turned into shares by a discrete Fourier transform. Links that repeat count twice here; the mean is 2m/n.
    """
    size = 2 ** math.ceil(math.log2(4 * (largest + 1) + 64))
    z = np.exp(-2j * math.pi * np.arange(size) / size)
    end = 0.5 * math.log1p(2.0 * m / n)
    nodes, weights = np.polynomial.legendre.leggauss(128)
    founded = 0.5 * end * (nodes + 1.0)
    integral = np.zeros(size, dtype=np.complex128)
    for at, weight in zip(founded, 0.5 * end * weights, strict=True):
        kept = math.exp(at - end)
        integral += weight * math.exp(2.0 * at) * (z * kept / (1.0 - (1.0 - kept) * z) - 1.0)
    first = math.exp(-end)
    shares = np.fft.ifft(first / (1.0 - (1.0 - first) * z) * np.exp(integral)).real
    return np.maximum(shares[: largest + 1], 0.0)


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
    """½ζ(β−1)e^α, the number of undirected links for β > 2; for smaller β the largest degrees decide, not the sum."""
    if not beta > 2.0:
        raise ParameterError("beta", beta, "more than 2: below, the number of links is not ½ζ(β−1)e^α")
    return 0.5 * float(zeta(beta - 1.0)) * math.exp(alpha)


# The largest β at which the α–β model has a giant component: ζ(β−2) = 2ζ(β−1) (Aiello, Chung & Lu 2000).
ALPHA_BETA_GIANT = float(brentq(lambda beta: zeta(beta - 2.0) - 2.0 * zeta(beta - 1.0), 3.01, 4.5))


def rmat_in_degrees(n: int, degree: int, low: float, k: AnyArray) -> Floats:
    """Shares by in-degree of R-MAT's drawn links, `low` = a + c the probability that a bit of a target is 0.

    A page with j ones among its L bits is the target of a link with probability low^(L−j)·(1−low)^j; C(L, j) of the 2^L
    pages have j ones, and the links that a page gets are binomial. Links that repeat count twice here.
    """
    from scipy.stats import binom  # slow to load, and seldom wanted

    levels = max(0, int(n - 1).bit_length())
    shares = np.zeros(len(np.asarray(k)))
    for ones in range(levels + 1):
        chance = low ** (levels - ones) * (1.0 - low) ** ones
        shares += math.comb(levels, ones) / 2.0**levels * binom.pmf(k, degree << levels, chance)
    return shares


# -- epidemics on any graph --------------------------------------------------------------------------------------


def branching(degrees: AnyArray) -> float:
    """(⟨k²⟩ − ⟨k⟩)/⟨k⟩: how many others a page that is reached along a link has, in a random graph of these degrees."""
    degrees = np.asarray(degrees, dtype=np.float64)
    total = float(degrees.sum())
    return float((degrees * (degrees - 1.0)).sum()) / total if total else 0.0


def degree_threshold(degrees: AnyArray) -> float:
    """f_c = ⟨k⟩/(⟨k²⟩ − ⟨k⟩): the susceptible share, or the transmissibility, at which outbreaks diverge.

    For a random graph of these degrees (Cohen, Erez, ben-Avraham & Havlin 2000); 1 where none diverge. Real graphs have
    short circles, which an outbreak runs round in, and so lie higher.
    """
    others = branching(degrees)
    return 1.0 / others if others > 1.0 else 1.0


def transmissibility(infection: float, recovery: float) -> float:
    """T = β/(1 − (1−β)(1−γ)): that a sick page infects a given neighbour before it recovers (`epidemics.spread`)."""
    missed = (1.0 - infection) * (1.0 - recovery)
    return infection / (1.0 - missed) if missed < 1.0 else 0.0


# -- routing -----------------------------------------------------------------------------------------------------


def routing_exponent(dimensions: int, r: float) -> float:
    """Greedy routing takes about s^x hops on a grid of side s: x of Kleinberg's lower bounds, 0 where it is log² s.

    x = (k−r)/(k+1) for r < k, (r−k)/(r−k+1) for r > k.
    """
    k = dimensions
    if r < k:
        return (k - r) / (k + 1.0)
    return (r - k) / (r - k + 1.0)
